import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Measurement, Metric } from '#local/metrics/measurement';
import { createMetricStore, MINUTE_MS } from '#local/metrics/metric-store';

const START_MS = Date.parse('2026-07-06T05:04:00Z');
const METRIC: Metric = { namespace: 'N', name: 'm', dimensions: { a: '1', b: '2' } };

const arrivals = fc.array(
  fc.record({ afterMs: fc.nat(40 * MINUTE_MS), value: fc.integer({ min: -9, max: 9 }) }),
  { maxLength: 30 },
);

/** A store that was told each value at its time. */
function storeOf(given: readonly { afterMs: number; value: number }[], keepMs: number) {
  let nowMs = START_MS;
  const store = createMetricStore({ nowMs: () => nowMs });
  store.watch(METRIC, keepMs);
  for (const { afterMs, value } of given.toSorted((a, b) => a.afterMs - b.afterMs)) {
    nowMs = START_MS + afterMs;
    store.measure({ ...METRIC, value });
  }
  return store;
}

test('of whole minutes, what is read is all that was measured in them', () =>
  fc.assert(
    fc.property(arrivals, fc.nat(40), fc.integer({ min: 1, max: 40 }), (given, from, length) => {
      const fromMs = START_MS + from * MINUTE_MS;
      const toMs = fromMs + length * MINUTE_MS;
      const values = given
        .filter(({ afterMs }) => START_MS + afterMs >= fromMs && START_MS + afterMs < toMs)
        .map(({ value }) => value);
      const read = storeOf(given, 60 * MINUTE_MS).read(METRIC, { fromMs, toMs });
      const whole = {
        count: values.length,
        sum: values.reduce((sum, value) => sum + value, 0),
        min: Math.min(...values),
        max: Math.max(...values),
      };
      expect(read).toEqual(values.length === 0 ? undefined : whole);
    }),
  ));

test('no more minutes are kept than were asked for', () =>
  fc.assert(
    fc.property(arrivals, fc.integer({ min: 1, max: 20 }), (given, minutes) => {
      expect(storeOf(given, minutes * MINUTE_MS).size()).toBeLessThanOrEqual(minutes + 1);
    }),
  ));

test('what nobody watches is not kept', () => {
  const store = createMetricStore({ nowMs: () => START_MS });
  store.measure({ ...METRIC, value: 1 });
  expect(store.size()).toBe(0);
  store.watch({ ...METRIC, dimensions: { b: '2', a: '1' } }, MINUTE_MS);
  const others: Measurement[] = [
    { ...METRIC, namespace: 'other', value: 1 },
    { ...METRIC, name: 'other', value: 1 },
    { ...METRIC, dimensions: { a: '1' }, value: 1 },
  ];
  others.forEach(store.measure);
  expect(store.size()).toBe(0);
  store.measure({ ...METRIC, value: 1 });
  expect(store.size()).toBe(1);
});

test('of two who watch, the one who looks back furthest counts', () => {
  let nowMs = START_MS;
  const store = createMetricStore({ nowMs: () => nowMs });
  store.watch(METRIC, 9 * MINUTE_MS);
  store.watch(METRIC, 2 * MINUTE_MS);
  store.measure({ ...METRIC, value: 7 });
  nowMs += 9 * MINUTE_MS;
  store.measure({ ...METRIC, value: 8 });
  const span = { fromMs: START_MS, toMs: START_MS + MINUTE_MS };
  expect(store.read(METRIC, span)).toMatchObject({ sum: 7 });
});
