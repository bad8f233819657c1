import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seededChance } from '#local/kit/seeded-chance';
import { hexDigits, idsOf, RANDOM_ID } from '#local/new-id';

const drawn = (seed: number | string, purpose = '', count = 50) => {
  const chance = seededChance(seed, purpose);
  return Array.from({ length: count }, () => chance());
};

test('the same seed and purpose give the same numbers, any other gives others', () => {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      expect(drawn(seed)).toEqual(drawn(seed));
      expect(drawn(seed)).not.toEqual(drawn(seed + 1));
      expect(drawn(seed, 'a')).not.toEqual(drawn(seed, 'b'));
    }),
  );
});

test('the numbers are spread evenly from 0 to 1', () => {
  const numbers = drawn('spread', '', 10_000);
  const tenths = Array.from({ length: 10 }, () => 0);
  for (const number of numbers) tenths[Math.floor(number * 10)]! += 1;
  expect(tenths.every((count) => count > 850 && count < 1_150)).toBe(true);
});

test.each([
  ['of a seed', idsOf(seededChance(9))],
  ['at random', RANDOM_ID],
])('identifiers %s are UUIDs of version 4, and none is like another', (_how, newId) => {
  const ids = Array.from({ length: 500 }, newId);
  const form = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  expect(ids.filter((id) => !form.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(500);
});

test('hexadecimal digits are as many as were asked for', () => {
  for (const count of [1, 16, 24, 32]) {
    expect(hexDigits(RANDOM_ID, count)).toMatch(new RegExp(`^[0-9a-f]{${count}}$`));
  }
});
