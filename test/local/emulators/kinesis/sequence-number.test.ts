import fc from 'fast-check';
import { expect, test } from 'vitest';
import { COUNTER_LAST, counterOf, sequenceNumber } from '#local/emulators/kinesis/sequence-number';

const origin = fc.record({
  index: fc.nat({ max: 20_000 }),
  bornSec: fc.integer({ min: 1_400_000_000, max: 4_000_000_000 }),
});
const counter = fc.nat({ max: 2 ** 33 - 1 });
const second = fc.integer({ min: 1_400_000_000, max: 4_000_000_000 });

test('the counter is read back from the number of its shard, and from no other', () => {
  fc.assert(
    fc.property(origin, origin, counter, second, (one, other, count, arrivalSec) => {
      const number = sequenceNumber(one, count, arrivalSec);
      expect(counterOf(one, number)).toBe(BigInt(count));
      if (one.index !== other.index || one.bornSec !== other.bornSec) {
        expect(counterOf(other, number)).toBeUndefined();
      }
    }),
  );
});

test('numbers rise with the counter, whatever the arrival, and stay below the end of the shard', () => {
  fc.assert(
    fc.property(origin, counter, second, second, (shard, count, before, after) => {
      const lower = BigInt(sequenceNumber(shard, count, before));
      const upper = BigInt(sequenceNumber(shard, count + 1, after));
      expect(lower < upper).toBe(true);
      expect(upper < BigInt(sequenceNumber(shard, COUNTER_LAST, 0))).toBe(true);
    }),
  );
});

test('a shard that is born later has only greater numbers', () => {
  fc.assert(
    fc.property(
      origin,
      fc.nat({ max: 20_000 }),
      counter,
      second,
      (parent, index, count, arrivalSec) => {
        const child = { index, bornSec: parent.bornSec + 1 };
        const last = BigInt(sequenceNumber(parent, COUNTER_LAST, arrivalSec));
        expect(BigInt(sequenceNumber(child, count, arrivalSec)) > last).toBe(true);
      },
    ),
  );
});

test.each(['', '-1', '007', '1e5', '9'.repeat(130)])('%s is no sequence number', (text) => {
  expect(counterOf({ index: 0, bornSec: 1_700_000_000 }, text)).toBeUndefined();
});
