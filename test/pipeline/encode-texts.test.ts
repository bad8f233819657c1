import fc from 'fast-check';
import { expect, test } from 'vitest';
import { textEncoding } from '#pipeline/encode-texts';

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('', '\u{1F600}', '€'.repeat(9)),
);

test('every text is encoded as on its own, and none writes over another, in memory new or used', () => {
  fc.assert(
    fc.property(fc.array(fc.array(text)), (rounds) => {
      const { encode, reuse } = textEncoding();
      for (const texts of rounds) {
        reuse();
        const all = texts.map((one) => encode(one));
        expect(all.map((bytes) => new TextDecoder().decode(bytes))).toEqual(texts);
      }
    }),
  );
});

test('a text that fills what is left, and one larger than all of it, are whole', () => {
  const { encode, reuse } = textEncoding();
  const texts = ['a'.repeat(300_000), 'b'.repeat(60_000), '€'.repeat(400_000), 'c'];
  for (const round of [texts, texts.toReversed()]) {
    reuse();
    const all = round.map((one) => encode(one));
    const sizes = all.map(({ byteLength }) => byteLength).toSorted((a, b) => a - b);
    expect(sizes).toEqual([1, 60_000, 300_000, 1_200_000]);
    expect(all.map((bytes) => new TextDecoder().decode(bytes))).toEqual(round);
  }
});

test('what was given back is written over, not added to', () => {
  const { encode, reuse } = textEncoding();
  const first = encode('first');
  reuse();
  expect(encode('again').buffer).toBe(first.buffer);
});
