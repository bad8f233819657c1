import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shardLag } from '#cli/shard-lag';

const BASE = 49_600_000_000_000_000_000_000_000_000_000_000_000_000_000_000_000_000n;
const records = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    sequenceNumber: String(BASE + BigInt(at) * 7n),
    arrivalTimeMs: 1_000 + at * 10,
  }));

test('an idle shard is not behind', () => {
  const all = records(9);
  expect(shardLag(all, all.at(-1)?.sequenceNumber, 999_999)).toEqual({ records: 0, behindMs: 0 });
  expect(shardLag([], undefined, 999_999)).toEqual({ records: 0, behindMs: 0 });
});

test('without a checkpoint everything is behind, and the oldest tells the age', () => {
  expect(shardLag(records(9), undefined, 1_500)).toEqual({ records: 9, behindMs: 500 });
});

test('a clock that is behind the stream’s makes no negative age', () => {
  expect(shardLag(records(2), undefined, 10)).toEqual({ records: 2, behindMs: 0 });
});

test('the lag is what a slow count finds, for checkpoints of any length and place', () => {
  fc.assert(
    fc.property(fc.nat(60), fc.nat(500), (count, step) => {
      const all = records(count);
      const checkpoint = BASE - 3n + BigInt(step);
      const left = all.filter(({ sequenceNumber }) => BigInt(sequenceNumber) > checkpoint);
      expect(shardLag(all, String(checkpoint), 9_000)).toEqual({
        records: left.length,
        behindMs: left[0] === undefined ? 0 : 9_000 - left[0].arrivalTimeMs,
      });
    }),
  );
});
