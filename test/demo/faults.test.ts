import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planFaults } from '#demo/faults';

const KINDS = ['dropped', 'unavailable', 'wait-date', 'wait-seconds'];
const seeds = fc.integer({ min: 0, max: 1_000_000 });
const list = (seed: number, count: number) =>
  Array.from({ length: count }, (_, at) => planFaults(seed)(at));

test('the first request is always answered, and every kind of fault comes within a dozen more', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const [first, ...dozen] = list(seed, 13);
      expect(first).toBeUndefined();
      expect([...new Set(dozen.filter((fault) => fault !== undefined))].sort()).toEqual(KINDS);
    }),
  );
});

test('one seed decides the same faults, whatever the order of asking', () => {
  fc.assert(
    fc.property(seeds, (seed) => {
      const decide = planFaults(seed);
      const backwards = Array.from({ length: 50 }, (_, at) => decide(49 - at)).toReversed();
      expect(backwards).toEqual(list(seed, 50));
    }),
  );
});

test('most requests are answered', () => {
  const decide = planFaults(7);
  const failed = Array.from({ length: 5_000 }, (_, at) => decide(at)).filter(
    (fault) => fault !== undefined,
  );
  expect(failed.length / 5_000).toBeGreaterThan(0.03);
  expect(failed.length / 5_000).toBeLessThan(0.09);
});
