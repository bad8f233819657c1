/** How the records of each key spread over a stream's shards, and which of them ask for too much. */
import { assert } from '#core/assert';
import { hashRing } from '#core/partition/hash-ring';
import { uniformShards } from '#core/partition/uniform-shards';
import { ASSUMED } from './function-usage.ts';
import { planShards } from './plan-shards.ts';
import type { ShardBound, StreamLoad } from './plan-shards.ts';

export interface CountedKey {
  readonly partitionKey: string;
  readonly hashKey: bigint;
  /** Records of it. */
  readonly count: number;
}

/** What a share of the stream's records asks of the one shard that takes them. */
export interface Demand {
  /** Of all records: above 0, at most 1. */
  readonly share: number;
  readonly recordsPerSec: number;
  /** How much of a shard it fills; above 1 it does not fit, whatever the number of shards. */
  readonly ofOneShard: number;
  readonly boundBy: ShardBound;
}

export interface ShardSpread {
  readonly shardId: string;
  readonly keys: number;
  readonly share: number;
}

export interface KeySpread {
  readonly records: number;
  /** Distinct: so many shards can be written to at most. */
  readonly keys: number;
  readonly hottestKey: { readonly partitionKey: string; readonly share: number };
  /** Undefined where nobody describes a load. */
  readonly atPeak:
    | {
        /** All of them, in the order of the ring, those without a key too. */
        readonly shards: readonly ShardSpread[];
        readonly hottestShard: Demand;
        readonly hottestKey: Demand;
        /** Of one key at most one record is under way: what a round trip allows. */
        readonly keyRecordsPerSecMax: number;
      }
    | undefined;
}

export type PeakLoad = Omit<StreamLoad, 'headroom'> & { readonly shardCount: number };

const MS_PER_SEC = 1_000;

/**
 * Spread keys over the shards of a stream as their hash keys do.
 *
 * @param load undefined where AWS chooses the shards and nobody describes a load.
 * @throws {Defect} when there is no key, or one without a record.
 */
export function keySpread(counted: readonly CountedKey[], load: PeakLoad | undefined): KeySpread {
  const [first] = counted;
  assert(first !== undefined, 'a spread has a key');
  assert(
    counted.every(({ count }) => count >= 1),
    'every key has a record',
  );
  const records = counted.reduce((sum, { count }) => sum + count, 0);
  const hottest = counted.reduce((most, one) => (one.count > most.count ? one : most), first);
  const share = hottest.count / records;
  return {
    records,
    keys: counted.length,
    hottestKey: { partitionKey: hottest.partitionKey, share },
    atPeak: load && {
      ...shardsOf(counted, records, load),
      hottestKey: demandOf(share, load),
      keyRecordsPerSecMax: MS_PER_SEC / ASSUMED.putMs,
    },
  };
}

function shardsOf(counted: readonly CountedKey[], records: number, load: PeakLoad) {
  const ring = hashRing(uniformShards(load.shardCount));
  assert(ring !== undefined, 'equal slices make a ring');
  const tallies = new Map(ring.shardIds.map((shardId) => [shardId, { keys: 0, records: 0 }]));
  for (const { hashKey, count } of counted) {
    const tally = tallies.get(ring.shardOf(hashKey));
    assert(tally !== undefined, 'a ring names its own shards');
    tally.keys++;
    tally.records += count;
  }
  const shards = [...tallies].map(([shardId, tally]): ShardSpread => ({
    shardId,
    keys: tally.keys,
    share: tally.records / records,
  }));
  const most = shards.reduce((share, one) => Math.max(share, one.share), 0);
  return { shards, hottestShard: demandOf(most, load) };
}

function demandOf(share: number, load: PeakLoad): Demand {
  const recordsPerSec = load.recordsPerSecPeak * share;
  const plan = planShards({ ...load, recordsPerSecPeak: recordsPerSec, headroom: 1 });
  const { boundBy, needed } = plan;
  return { share, recordsPerSec, ofOneShard: needed[boundBy], boundBy };
}
