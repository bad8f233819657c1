import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Defect } from '#core/assert';
import { planShards, SHARD_LIMITS } from '#core/capacity/plan-shards';
import type { StreamLoad } from '#core/capacity/plan-shards';

const load = (over: Partial<StreamLoad>): StreamLoad => ({
  recordsPerSecPeak: 100,
  recordBytesMean: 300,
  sharedReaders: 1,
  headroom: 1,
  ...over,
});

describe('a load meets the limit it reaches first', () => {
  test('CAPA-01: small records are bound by their number, not by their bytes', () => {
    const plan = planShards(load({ recordsPerSecPeak: 50_000, recordBytesMean: 500 }));
    expect(plan.shardCount).toBe(50);
    expect(plan.boundBy).toBe('records');
    expect(Math.ceil(plan.needed.bytes)).toBe(24);
  });

  test('large records are bound by their bytes', () => {
    const plan = planShards(load({ recordsPerSecPeak: 70, recordBytesMean: 80_000 }));
    expect(plan).toMatchObject({ shardCount: 6, boundBy: 'bytes' });
  });

  test('three readers of one shard are bound by what they read together', () => {
    const plan = planShards(
      load({ recordsPerSecPeak: 700, recordBytesMean: 6_000, sharedReaders: 3 }),
    );
    expect(plan).toMatchObject({ shardCount: 7, boundBy: 'reads' });
  });
});

test('headroom is applied before the count is rounded up', () => {
  expect(planShards(load({ recordsPerSecPeak: 1_500, headroom: 1.25 })).shardCount).toBe(2);
  expect(planShards(load({ recordsPerSecPeak: 1_700, headroom: 1.25 })).shardCount).toBe(3);
});

test('a load that fills its shards to the last record needs no other', () => {
  expect(planShards(load({ recordsPerSecPeak: 3_000, headroom: 1 })).shardCount).toBe(3);
  expect(planShards(load({ recordsPerSecPeak: 4_400, headroom: 1.25 })).shardCount).toBe(6);
  expect(planShards(load({ recordsPerSecPeak: 3_001, headroom: 1 })).shardCount).toBe(4);
});

test('the least load has a shard', () => {
  expect(planShards(load({ recordsPerSecPeak: 0.01 })).shardCount).toBe(1);
});

test('a load of nothing, or headroom that takes away, is a defect', () => {
  expect(() => planShards(load({ recordsPerSecPeak: 0 }))).toThrow(Defect);
  expect(() => planShards(load({ recordBytesMean: -1 }))).toThrow(Defect);
  expect(() => planShards(load({ headroom: 0.9 }))).toThrow(Defect);
});

const loads = fc.record({
  recordsPerSecPeak: fc.integer({ min: 1, max: 40_000 }),
  recordBytesMean: fc.integer({ min: 1, max: 200_000 }),
  sharedReaders: fc.integer({ min: 1, max: 5 }),
  headroom: fc.constantFrom(1, 1.1, 1.25, 2),
});

/** What `shards` shards are short of, if anything: the limits, read the other way around. */
function shortages(shards: number, { recordsPerSecPeak, headroom, ...of }: StreamLoad): string[] {
  const records = recordsPerSecPeak * headroom;
  const bytes = records * of.recordBytesMean;
  const over = (load: number, limit: number) => load > shards * limit * (1 + 1e-9);
  return [
    over(records, SHARD_LIMITS.writeRecordsPerSec) ? 'records' : '',
    over(bytes, SHARD_LIMITS.writeBytesPerSec) ? 'bytes' : '',
    over(bytes * of.sharedReaders, SHARD_LIMITS.readBytesPerSec) ? 'reads' : '',
  ].filter((what) => what !== '');
}

test('the planned shards carry the load, and one fewer would not', () => {
  fc.assert(
    fc.property(loads, (any) => {
      const { shardCount } = planShards(any);
      expect(shortages(shardCount, any)).toEqual([]);
      if (shardCount > 1) expect(shortages(shardCount - 1, any)).not.toEqual([]);
    }),
  );
});

test('more load never needs fewer shards', () => {
  fc.assert(
    fc.property(loads, fc.integer({ min: 0, max: 5_000 }), (less, extra) => {
      const more = { ...less, recordsPerSecPeak: less.recordsPerSecPeak + extra };
      expect(planShards(more).shardCount).toBeGreaterThanOrEqual(planShards(less).shardCount);
    }),
  );
});
