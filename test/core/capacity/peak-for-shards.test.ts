import fc from 'fast-check';
import { expect, test } from 'vitest';
import { peakForShards } from '#core/capacity/peak-for-shards';
import { planShards } from '#core/capacity/plan-shards';

const load = fc.record({
  recordsPerSecPeak: fc.integer({ min: 1, max: 100_000 }),
  recordBytesMean: fc.integer({ min: 50, max: 20_000 }),
  sharedReaders: fc.integer({ min: 1, max: 5 }),
  headroom: fc.double({ min: 1, max: 3, noNaN: true }),
});

test('the load with that peak counts that many shards, and with one more record a second more', () =>
  fc.assert(
    fc.property(load, fc.integer({ min: 1, max: 500 }), (described, shardCount) => {
      const peak = peakForShards(described, shardCount);
      if (peak === undefined) return;
      const counted = (recordsPerSecPeak: number) =>
        planShards({ ...described, recordsPerSecPeak }).shardCount;
      expect(counted(peak)).toBe(shardCount);
      expect(counted(peak + 1)).toBeGreaterThan(shardCount);
    }),
  ));

test('it is there for all loads whose records are small', () => {
  const described = {
    recordsPerSecPeak: 50,
    recordBytesMean: 900,
    sharedReaders: 1,
    headroom: 1.25,
  };
  expect([1, 2, 5].map((count) => peakForShards(described, count))).toEqual([800, 1_600, 4_000]);
});

test('where one record a second is more than a shard there is none', () => {
  const described = {
    recordsPerSecPeak: 3,
    recordBytesMean: 1_500_000,
    sharedReaders: 1,
    headroom: 1,
  };
  expect(peakForShards(described, 1)).toBeUndefined();
  expect(peakForShards(described, 4)).toBeUndefined();
  expect(peakForShards(described, 5)).toBe(3);
});
