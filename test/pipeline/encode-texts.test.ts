import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textEncoder } from '#pipeline/encode-texts';

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('', '\u{1F600}', '€'.repeat(9)),
);

test('every text is encoded as on its own, and none writes over another', () => {
  fc.assert(
    fc.property(fc.array(text), (texts) => {
      const encode = textEncoder();
      const all = texts.map(encode);
      expect(all.map((bytes) => new TextDecoder().decode(bytes))).toEqual(texts);
    }),
  );
});

test('a text that fills what is left, and one larger than all of it, are whole', () => {
  const encode = textEncoder();
  const texts = ['a'.repeat(200_000), 'b'.repeat(60_000), '€'.repeat(100_000), 'c'];
  const all = texts.map(encode);
  expect(all.map(({ byteLength }) => byteLength)).toEqual([200_000, 60_000, 300_000, 1]);
  expect(all.map((bytes) => new TextDecoder().decode(bytes))).toEqual(texts);
});
