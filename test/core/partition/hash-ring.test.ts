import fc from 'fast-check';
import { expect, test } from 'vitest';
import { md5HashKey } from '#adapters/system/hash-key';
import { Defect } from '#core/assert';
import { HASH_KEY_MAX, hashRing } from '#core/partition/hash-ring';
import type { ShardRange } from '#core/partition/hash-ring';

const hashKey = fc.bigInt({ min: 0n, max: HASH_KEY_MAX });
/** Shards that begin at some places of the ring, in any order. */
const ranges = fc
  .uniqueArray(fc.oneof(hashKey, fc.bigInt({ min: 1n, max: 9n })), { maxLength: 12 })
  .chain((cuts) => {
    const starts = [...new Set([0n, ...cuts])].toSorted((a, b) => (a < b ? -1 : 1));
    const all = starts.map((startingHashKey, at): ShardRange => ({
      shardId: `shard-${at}`,
      startingHashKey,
      endingHashKey: (starts[at + 1] ?? HASH_KEY_MAX + 1n) - 1n,
    }));
    return fc.shuffledSubarray(all, { minLength: all.length });
  });

test('a hash key belongs to the one shard that begins at it or before, and ends there or after', () => {
  fc.assert(
    fc.property(ranges, fc.array(hashKey), (open, keys) => {
      const ring = hashRing(open);
      const edges = open.flatMap((one) => [one.startingHashKey, one.endingHashKey]);
      for (const key of [...edges, ...keys]) {
        const owner = open.filter(
          ({ startingHashKey, endingHashKey }) => startingHashKey <= key && key <= endingHashKey,
        );
        expect([ring?.shardOf(key)]).toEqual(owner.map(({ shardId }) => shardId));
      }
    }),
  );
});

test('shards that leave a gap, or overlap, make no ring', () => {
  fc.assert(
    fc.property(ranges, fc.nat(), fc.constantFrom(-1n, 1n), (open, which, by) => {
      const at = which % open.length;
      const moved = open.with(at, {
        ...(open[at] as ShardRange),
        endingHashKey: (open[at] as ShardRange).endingHashKey + by,
      });
      expect(hashRing(moved)).toBe(undefined);
    }),
  );
  expect(hashRing([])).toBe(undefined);
  const whole = { shardId: 'b', startingHashKey: 0n, endingHashKey: HASH_KEY_MAX };
  expect(hashRing([{ ...whole, shardId: 'a', endingHashKey: -1n }, whole])).toBe(undefined);
  expect(hashRing([{ shardId: 'a', startingHashKey: 1n, endingHashKey: HASH_KEY_MAX }])).toBe(
    undefined,
  );
});

test('what is no hash key is a defect', () => {
  const ring = hashRing([{ shardId: 'a', startingHashKey: 0n, endingHashKey: HASH_KEY_MAX }]);
  expect(ring?.shardIds).toEqual(['a']);
  for (const none of [-1n, HASH_KEY_MAX + 1n]) {
    expect(() => ring?.shardOf(none)).toThrow(Defect);
    expect(() => ring?.shardOf(none)).toThrow('a hash key has 128 bits');
  }
});

/** @source RFC 1321, appendix A.5: MD5 of the empty text, and of "abc". */
test('the hash key of a partition key is its MD5', () => {
  expect(md5HashKey('')).toBe(0xd41d8cd98f00b204e9800998ecf8427en);
  expect(md5HashKey('abc')).toBe(0x900150983cd24fb0d6963f7d28e17f72n);
});
