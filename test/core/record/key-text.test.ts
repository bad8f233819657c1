import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keyParts, keyText } from '#core/record/key-text';

/** Texts in which the letters of the escapes are common. */
const part = fc
  .array(fc.constantFrom('%', '/', '2', '5', 'F', 'f', 'é', 'a'), { minLength: 1, maxLength: 6 })
  .map((letters) => letters.join(''));
const pair = fc.tuple(part, part);

test('a key of two parts comes back as it was', () =>
  fc.assert(
    fc.property(pair, (parts) => {
      expect(keyParts(keyText(parts), 2)).toEqual(parts);
    }),
  ));

test('two keys have one text only if they are one key', () =>
  fc.assert(
    fc.property(pair, pair, (one, other) => {
      const areOne = one[0] === other[0] && one[1] === other[1];
      expect(keyText(one) === keyText(other)).toBe(areOne);
    }),
  ));

test('a text that is taken for two parts is the text of these', () =>
  fc.assert(
    fc.property(
      part.filter((text) => text.includes('/')),
      (text) => {
        const parts = keyParts(text, 2);
        if (parts !== undefined) expect(keyText(parts)).toBe(text);
      },
    ),
  ));

test.each(['acme', 'acme/', '/7', 'a/b/c', 'a%41/b', '%/b'])('%j is no key of two parts', (text) =>
  expect(keyParts(text, 2)).toBeUndefined(),
);

test('a part alone stays as it is, whatever it holds', () => {
  expect(keyText(['a/b%2F'])).toBe('a/b%2F');
  expect(keyParts('a/b%2F', 1)).toEqual(['a/b%2F']);
});
