import fc from 'fast-check';
import { expect, test } from 'vitest';
import { failAgain, PARKED_FROM } from '#core/source/failing';
import type { Failing } from '#core/source/failing';

const AT_MS = 1_900_000_000_000;
const HOUR_MS = 3_600_000;

function failTimes(count: number, roll: number, everyMs?: number): readonly Failing[] {
  const all: Failing[] = [];
  for (let at = 0; at < count; at++)
    all.push(failAgain(all.at(-1), { atMs: AT_MS + at, everyMs, roll }));
  return all;
}

test('the first failures are followed by the next tick as ever', () => {
  expect(failTimes(PARKED_FROM - 1, 0.7).map(({ retryAtMs }) => retryAtMs)).toEqual([0, 0]);
});

test('from the third in a row, a pause doubles with each, up to an hour; since when is kept', () => {
  const pauses = failTimes(12, 0).map(({ retryAtMs }, at) => (retryAtMs - AT_MS - at) / 60_000);
  expect(pauses.slice(2)).toEqual([2, 4, 8, 16, 30, 30, 30, 30, 30, 30]);
  expect(failTimes(5, 0).at(-1)).toMatchObject({ count: 5, sinceMs: AT_MS });
});

test('a parked source misses a tick at least, and is asked again within an hour', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: PARKED_FROM, max: 60 }),
      fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
      fc.integer({ min: 1, max: 29 }),
      (count, roll, minutes) => {
        const everyMs = minutes * 60_000;
        const { retryAtMs } = failTimes(count, roll, everyMs).at(-1)!;
        const pauseMs = retryAtMs - AT_MS - count + 1;
        expect(pauseMs).toBeGreaterThan(everyMs);
        expect(pauseMs).toBeLessThanOrEqual(HOUR_MS);
      },
    ),
  );
});
