import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Defect } from '#core/assert';
import { lineageWalk } from '#core/partition/lineage-walk';

/** Shards of any lineage: a shard's parents are some of those before it. */
const lineage = fc
  .array(fc.uniqueArray(fc.nat(30), { maxLength: 2 }), { minLength: 1, maxLength: 30 })
  .map((parents) =>
    parents.map((of, at) => ({
      shardId: `s${at}`,
      parentShardIds: of.filter((parent) => parent < at).map((parent) => `s${parent}`),
    })),
  );

test('each shard is read once, after its parents were read out, however many are read at once', () =>
  fc.assert(
    fc.property(lineage, fc.infiniteStream(fc.nat()), (shards, dice) => {
      const walk = lineageWalk(shards.toReversed());
      const ended: string[] = [];
      const running: string[] = [];
      for (;;) {
        for (let next = walk.next(); next !== undefined; next = walk.next()) {
          const { parentShardIds } = shards.find(({ shardId }) => shardId === next)!;
          expect(ended).toEqual(expect.arrayContaining(parentShardIds));
          running.push(next);
        }
        if (running.length === 0) break;
        const [over] = running.splice(dice.next().value % running.length, 1);
        walk.end(over!);
        ended.push(over!);
      }
      expect(ended.toSorted()).toEqual(shards.map(({ shardId }) => shardId).toSorted());
    }),
  ));

test('a parent that has left the stream is not waited for', () => {
  const walk = lineageWalk([{ shardId: 's7', parentShardIds: ['s3', 's4'] }]);
  expect([walk.next(), walk.next()]).toEqual(['s7', undefined]);
});

test('a shard that was not begun, or ended before, is not read out', () => {
  const walk = lineageWalk([{ shardId: 's0', parentShardIds: [] }]);
  const twice = 'broken invariant: a shard is read out once, after it was begun';
  expect(() => walk.end('s0')).toThrow(new Defect(twice));
  walk.next();
  walk.end('s0');
  expect(() => walk.end('s0')).toThrow(Defect);
});
