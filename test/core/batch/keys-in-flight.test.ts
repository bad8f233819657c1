import fc from 'fast-check';
import { expect, test } from 'vitest';
import { afterThrottle, afterWrite, firstKeys } from '#core/batch/keys-in-flight';
import type { KeysInFlight } from '#core/batch/keys-in-flight';

const max = fc.integer({ min: 1, max: 128 });
/** What became of writes, and how many halvings ago each had begun. */
const ends = fc.array(fc.record({ throttled: fc.boolean(), ago: fc.nat(2) }), { maxLength: 200 });

const after = (
  keys: KeysInFlight,
  most: number,
  { throttled, ago }: { throttled: boolean; ago: number },
) => (throttled ? afterThrottle(keys, Math.max(0, keys.halvings - ago)) : afterWrite(keys, most));

test('the limit stays between one and the most, and moves by a step or a halving', () =>
  fc.assert(
    fc.property(max, ends, (most, all) => {
      let keys = firstKeys(most);
      for (const end of all) {
        const before = keys.limit;
        keys = after(keys, most, end);
        expect(keys.limit).toBeGreaterThanOrEqual(1);
        expect(keys.limit).toBeLessThanOrEqual(most);
        expect([before, before + 1, Math.max(1, Math.floor(before / 2))]).toContain(keys.limit);
      }
    }),
  ));

test('writes that were throttled together halve the limit once', () =>
  fc.assert(
    fc.property(max, fc.integer({ min: 1, max: 20 }), (most, together) => {
      const begun = firstKeys(most);
      let keys = begun;
      for (let at = 0; at < together; at++) keys = afterThrottle(keys, begun.halvings);
      expect(keys.limit).toBe(Math.max(1, Math.floor(most / 2)));
    }),
  ));

test('one more key is let in with the sixteenth write after a throttled one', () => {
  let keys = afterThrottle(firstKeys(8), 0);
  for (let written = 0; written < 15; written++) keys = afterWrite(keys, 8);
  expect(keys.limit).toBe(4);
  expect(afterWrite(keys, 8).limit).toBe(5);
});

test('a table that throttles no more is soon written to as before', () =>
  fc.assert(
    fc.property(max, ends, (most, all) => {
      let keys = all.reduce((state, end) => after(state, most, end), firstKeys(most));
      for (let written = 0; written < 16 * most; written++) keys = afterWrite(keys, most);
      expect(keys.limit).toBe(most);
    }),
  ));
