import fc from 'fast-check';
import { expect, test } from 'vitest';
import { utf8Bytes } from '#core/utf8';

test('a text has as many bytes as its encoding', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 20 }), (text) => {
      expect(utf8Bytes(text)).toBe(new TextEncoder().encode(text).byteLength);
    }),
  );
});

test('half a character counts as the three bytes it is encoded as', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('\ud83d', '\ude00', 'a', 'é', '€'), { maxLength: 8 }),
      (parts) => {
        const text = parts.join('');
        expect(utf8Bytes(text)).toBe(new TextEncoder().encode(text).byteLength);
      },
    ),
  );
});
