/** The order in which the shards of a stream may be read: no child before its parents are read out. */
import { assert } from '#core/assert';

export interface LinkedShard {
  readonly shardId: string;
  /** One after a split, two after a merge; of a shard that left the stream only the name is left. */
  readonly parentShardIds: readonly string[];
}

export interface LineageWalk {
  /** A shard that may be read now, once each; undefined where what is left waits, or nothing is. */
  next(): string | undefined;
  /** Says that a shard is read out: its children may be read. */
  end(shardId: string): void;
}

/** Walk shards in the order given, as far as their parents among them allow. */
export function lineageWalk(shards: readonly LinkedShard[]): LineageWalk {
  const given = new Set(shards.map(({ shardId }) => shardId));
  const children = new Map<string, string[]>();
  const waitsFor = new Map<string, number>();
  const ready: string[] = [];
  for (const { shardId, parentShardIds } of shards) {
    const parents = new Set(parentShardIds.filter((parent) => given.has(parent)));
    for (const parent of parents) children.set(parent, [...(children.get(parent) ?? []), shardId]);
    waitsFor.set(shardId, parents.size);
    if (parents.size === 0) ready.push(shardId);
  }
  const begun = new Set<string>();
  let at = 0;
  return {
    next() {
      const shardId = ready[at];
      if (shardId === undefined) return undefined;
      at += 1;
      begun.add(shardId);
      return shardId;
    },
    end(shardId) {
      assert(begun.delete(shardId), 'a shard is read out once, after it was begun');
      for (const child of children.get(shardId) ?? []) {
        const left = (waitsFor.get(child) ?? 0) - 1;
        waitsFor.set(child, left);
        if (left === 0) ready.push(child);
      }
    },
  };
}
