import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planSlices } from '#core/source/plan-slices';

const DAY_MS = 86_400_000;

test('slices tile what is asked for exactly, each as long as said but for the last', () => {
  const stretch = fc.record({
    fromMs: fc.integer({ min: 0, max: 4e12 }),
    lengthMs: fc.integer({ min: 1, max: 1e9 }),
    parts: fc.integer({ min: 1, max: 40 }),
  });
  fc.assert(
    fc.property(stretch, ({ fromMs, lengthMs, parts }) => {
      const toMs = fromMs + lengthMs;
      const sliceMs = Math.ceil(lengthMs / parts);
      const slices = planSlices({ fromMs, toMs, sliceMs });
      expect(slices[0]!.fromMs).toBe(fromMs);
      expect(slices.at(-1)!.toMs).toBe(toMs);
      for (const [at, slice] of slices.entries()) {
        expect(slice.fromMs).toBe(slices[at - 1]?.toMs ?? fromMs);
        const length = slice.toMs - slice.fromMs;
        expect(length).toBeGreaterThan(0);
        if (at < slices.length - 1) expect(length).toBe(sliceMs);
        else expect(length).toBeLessThanOrEqual(sliceMs);
      }
    }),
  );
});

test.each([
  ['2031-02-01', '2031-03-01', 28],
  ['2032-02-01', '2032-03-01', 29],
  ['2031-04-01', '2031-05-01', 30],
  // Clocks are set forward in it, in many places.
  ['2031-03-01', '2031-04-01', 31],
])('from %s to %s are %i days, each of them from midnight to midnight UTC', (from, to, days) => {
  const slices = planSlices({ fromMs: Date.parse(from), toMs: Date.parse(to), sliceMs: DAY_MS });
  expect(slices).toHaveLength(days);
  const begins = slices.map(({ fromMs }) => new Date(fromMs).toISOString().slice(10));
  expect(new Set(begins)).toEqual(new Set(['T00:00:00.000Z']));
});
