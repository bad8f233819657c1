import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareVersions, newestFirst } from '#core/record/fold';
import type { Versioned } from '#core/record/fold';

const versioned: fc.Arbitrary<Versioned> = fc.record({
  version: fc.constantFrom('08', '09', '10'),
  observed: fc.constantFrom('1-1', '1-2', '2-1'),
});
const same = (thing: Versioned) => thing;

test('the first outranks or equals every other', () =>
  fc.assert(
    fc.property(fc.array(versioned, { minLength: 1 }), (all) => {
      const [first] = newestFirst(all, same);
      for (const other of all) {
        expect(first!.version + first!.observed >= other.version + other.observed).toBe(true);
      }
    }),
  ));

test('nothing is lost or added', () =>
  fc.assert(
    fc.property(fc.array(versioned), (all) => {
      const ranked = newestFirst(all, same);
      expect(ranked.length).toBe(all.length);
      expect(new Set(ranked)).toEqual(new Set(all));
    }),
  ));

test('equals keep the order they came in, as a table keeps the first', () => {
  const twins = ['first', 'second'].map((name) => ({ name, version: '09', observed: '1-1' }));
  expect(newestFirst(twins, same)).toEqual(twins);
});

test('the version decides before the observation', () => {
  const late = { version: '08', observed: '2-1' };
  const high = { version: '09', observed: '1-1' };
  expect(compareVersions(late, high)).toBeLessThan(0);
  expect(compareVersions(high, { ...high, observed: '1-2' })).toBeLessThan(0);
  expect(compareVersions(high, { ...high })).toBe(0);
});
