import { expect, test } from 'vitest';
import { planReplay } from '#core/partition/plan-replay';
import type { ReplayPlanAsk } from '#core/partition/plan-replay';

const shard = (at: number, [startingHashKey, endingHashKey]: readonly [bigint, bigint]) => ({
  shardId: `shardId-${String(at).padStart(12, '0')}`,
  startingHashKey,
  endingHashKey,
});
/** 1 was split into 3 and 4; 0, which was split into 1 and 2, has left the stream. */
const STREAM = [
  { ...shard(1, [0n, 99n]), parentShardIds: ['shardId-000000000000'] },
  { ...shard(2, [100n, 199n]), parentShardIds: ['shardId-000000000000'] },
  { ...shard(3, [0n, 49n]), parentShardIds: ['shardId-000000000001'] },
  { ...shard(4, [50n, 99n]), parentShardIds: ['shardId-000000000001'] },
];
const plan = (ask: Partial<ReplayPlanAsk> = {}) => {
  const found = planReplay(STREAM, { from: 'any', shard: undefined, hashKey: undefined, ...ask });
  return found.kind === 'planned'
    ? {
        ids: found.shards.map(({ shardId }) => Number(shardId.slice(-3))),
        gone: found.goneShardIds,
      }
    : found.detail;
};
const GONE = ['shardId-000000000000'];

test('all shards of the stream, and which parents are gone', () => {
  expect(plan()).toEqual({ ids: [1, 2, 3, 4], gone: GONE });
});

test('the shards that may hold a key, ends of their ranges among them', () => {
  expect(plan({ hashKey: 49n })).toEqual({ ids: [1, 3], gone: GONE });
  expect(plan({ hashKey: 50n })).toEqual({ ids: [1, 4], gone: GONE });
  expect(plan({ hashKey: 100n })).toEqual({ ids: [2], gone: GONE });
});

test('one shard, by its name or its number, and nothing of its parents', () => {
  expect(plan({ shard: 'shardId-000000000003' })).toEqual({ ids: [3], gone: [] });
  expect(plan({ shard: '4' })).toEqual({ ids: [4], gone: [] });
  expect(plan({ shard: '0004' })).toEqual({ ids: [4], gone: [] });
  expect(plan({ shard: '9' })).toBe("the stream has no shard '9'");
});

test.each(['0x4', '4 ', '+4', ''])("'%s' names no shard", (shard) => {
  expect(plan({ shard })).toBe(`the stream has no shard '${shard}'`);
});

test('a stream without shards has none to read', () => {
  const ask = { from: 'any', shard: undefined, hashKey: undefined } as const;
  const detail = "the stream has no shard ''";
  expect(planReplay([], ask)).toEqual({ kind: 'refused', detail });
});

test('a sequence number wants one shard', () => {
  const ask = { from: 'sequence', shard: undefined, hashKey: undefined } as const;
  expect(planReplay(STREAM, ask)).toMatchObject({ kind: 'refused' });
  expect(plan({ from: 'sequence' })).toMatch(
    /--shard says which of shardId-000000000001, shardId-/,
  );
  expect(plan({ from: 'sequence', shard: '2' })).toEqual({ ids: [2], gone: [] });
});
