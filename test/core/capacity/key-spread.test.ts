import fc from 'fast-check';
import { expect, test } from 'vitest';
import { md5HashKey } from '#adapters/system/hash-key';
import { Defect } from '#core/assert';
import { keySpread } from '#core/capacity/key-spread';
import type { CountedKey } from '#core/capacity/key-spread';
import { HASH_KEY_MAX } from '#core/partition/hash-ring';
import { uniformShards } from '#core/partition/uniform-shards';
import { uniformRanges } from '#local/emulators/kinesis/hash-ring';

const counted = (partitionKey: string, count: number): CountedKey => ({
  partitionKey,
  hashKey: md5HashKey(partitionKey),
  count,
});

const LOAD = { recordsPerSecPeak: 6_000, recordBytesMean: 500, sharedReaders: 1, shardCount: 8 };

test('CAPA-11: five keys use at most five shards, and each asks for more than one', () => {
  const keys = ['0', '1', '2', '3', '4'].map((key) => counted(key, 20));
  const { atPeak, ...spread } = keySpread(keys, LOAD);
  expect(spread).toEqual({
    records: 100,
    keys: 5,
    hottestKey: { partitionKey: '0', share: 0.2 },
  });
  expect(atPeak?.hottestKey).toEqual({
    share: 0.2,
    recordsPerSec: 1_200,
    ofOneShard: 1.2,
    boundBy: 'records',
  });
  // MD5 of "0" to "4" begins with cf, c4, c8, ec and a8: three of them in the seventh eighth.
  expect(atPeak?.shards.map((shard) => shard.keys)).toEqual([0, 0, 0, 0, 0, 1, 3, 1]);
  expect(atPeak?.hottestShard.ofOneShard).toBeCloseTo(3.6);
});

test('a key of large records is bound by bytes, one of many readers by reads', () => {
  const keys = [counted('a', 1), counted('b', 3)];
  const hot = (load: Partial<typeof LOAD>) =>
    keySpread(keys, { ...LOAD, recordsPerSecPeak: 100, ...load }).atPeak?.hottestKey;
  expect(hot({ recordBytesMean: 20_000 })).toMatchObject({ boundBy: 'bytes', recordsPerSec: 75 });
  expect(hot({ recordBytesMean: 20_000, sharedReaders: 3 })).toMatchObject({ boundBy: 'reads' });
});

test('without a described load there are keys and shares, and nothing of shards', () => {
  expect(keySpread([counted('a', 1), counted('b', 3)], undefined)).toEqual({
    records: 4,
    keys: 2,
    hottestKey: { partitionKey: 'b', share: 0.75 },
    atPeak: undefined,
  });
});

test('no key, or one without a record, is a defect', () => {
  expect(() => keySpread([], LOAD)).toThrow(Defect);
  expect(() => keySpread([counted('a', 0)], LOAD)).toThrow(Defect);
});

const histograms = fc
  .uniqueArray(fc.bigInt({ min: 0n, max: HASH_KEY_MAX }), { minLength: 1, maxLength: 40 })
  .chain((hashKeys) =>
    fc.tuple(
      ...hashKeys.map((hashKey, at) =>
        fc.integer({ min: 1, max: 1_000 }).map((count) => ({
          partitionKey: String(at),
          hashKey,
          count,
        })),
      ),
    ),
  );

test('every record is in the one shard whose slice holds its key, and no shard has more than the fullest', () => {
  fc.assert(
    fc.property(histograms, fc.integer({ min: 1, max: 30 }), (keys, shardCount) => {
      const { atPeak, records } = keySpread(keys, { ...LOAD, shardCount });
      const slices = uniformRanges(shardCount);
      const within = slices.map(({ startHashKey, endHashKey }) =>
        keys.filter(({ hashKey }) => startHashKey <= hashKey && hashKey <= endHashKey),
      );
      const shares = within.map((own) => own.reduce((sum, { count }) => sum + count, 0) / records);
      expect(atPeak?.shards.map((shard) => shard.keys)).toEqual(within.map((own) => own.length));
      expect(atPeak?.shards.map(({ share }) => share)).toEqual(shares);
      expect(atPeak?.hottestShard.share).toBe(Math.max(...shares));
      expect(atPeak!.hottestKey.share).toBeLessThanOrEqual(atPeak!.hottestShard.share);
    }),
  );
});

test('the shards of a stream are equal slices, and the last has what is left', () => {
  // As CreateStream cuts three.
  expect(uniformShards(3)).toEqual([
    {
      shardId: 'shardId-000000000000',
      startingHashKey: 0n,
      endingHashKey: 113427455640312821154458202477256070484n,
    },
    {
      shardId: 'shardId-000000000001',
      startingHashKey: 113427455640312821154458202477256070485n,
      endingHashKey: 226854911280625642308916404954512140969n,
    },
    {
      shardId: 'shardId-000000000002',
      startingHashKey: 226854911280625642308916404954512140970n,
      endingHashKey: HASH_KEY_MAX,
    },
  ]);
});
