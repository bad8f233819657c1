/** The records of a stream from a place on: up to its tip, or what comes from now on. */
import { createHash } from 'node:crypto';
import type { Shard } from '@aws-sdk/client-kinesis';
import { UsageError } from './cli-error.ts';
import type { Connection } from './connection.ts';
import { listShards, openShard, readShards } from './stream-reader.ts';
import type { ReadFrom, ReadRecord } from './stream-reader.ts';

export interface RecordsAsk {
  readonly stream: string;
  readonly from: ReadFrom;
  /** Only records of this partition key. */
  readonly key?: string | undefined;
  /** Only this shard. */
  readonly shard?: string | undefined;
}

/** A reader that waits for records asks this often; a shard allows five reads a second to all. */
const FOLLOW_GAP_MS = 1_000;

/** @throws {UsageError} when a sequence number is asked for, and not in which shard. */
export async function* recordsFrom(
  { kinesis }: Connection,
  { stream, from, key, shard }: RecordsAsk,
): AsyncGenerator<ReadRecord> {
  const list = async () =>
    (await listShards(kinesis, stream)).filter(
      (one) => isAsked(one, shard) && (key === undefined || mayHold(one, key)),
    );
  const shards = await list();
  if (shards.length === 0) {
    throw new UsageError(`${stream} has no such shard${shard === undefined ? '' : `: ${shard}`}.`);
  }
  if (from.kind === 'from' && shards.length > 1) {
    const ids = shards.map(({ ShardId }) => ShardId).join(', ');
    throw new UsageError(
      `A sequence number is a place in one shard: --shard says which of ${ids}.`,
    );
  }
  const records =
    from.kind === 'latest'
      ? follow(kinesis, { stream, from }, list)
      : readShards(kinesis, { stream, shards, from });
  for await (const record of records) {
    if (key === undefined || record.partitionKey === key) yield record;
  }
}

/** By its name, or by the number at its end, as `tail` prints it. */
function isAsked({ ShardId = '' }: Shard, asked: string | undefined): boolean {
  if (asked === undefined || ShardId === asked) return true;
  return /^\d+$/.test(asked) && Number(ShardId.replace(/^\D+/, '')) === Number(asked);
}

/** @source Kinesis Developer Guide: the MD5 of a partition key, as a number, chooses its shard. */
function mayHold({ HashKeyRange: range }: Shard, key: string): boolean {
  const hash = BigInt(`0x${createHash('md5').update(key).digest('hex')}`);
  return hash >= BigInt(range?.StartingHashKey ?? 0) && hash <= BigInt(range?.EndingHashKey ?? 0);
}

/** New records until the command is ended; where a shard ends, its children are read from their start. */
async function* follow(
  kinesis: Connection['kinesis'],
  { stream, from }: { readonly stream: string; readonly from: ReadFrom },
  list: () => Promise<readonly Shard[]>,
): AsyncGenerator<ReadRecord> {
  const open = ({ ShardId: shardId = '' }: Shard, where: ReadFrom) =>
    openShard(kinesis, { stream, shardId, from: where });
  const shards = await list();
  const known = new Set(shards.map(({ ShardId }) => ShardId));
  let places = await Promise.all(shards.map((shard) => open(shard, from)));
  for (;;) {
    for (const place of places) yield* (await place.read()).records;
    const next = places.filter((place) => !place.isReadOut());
    if (next.length < places.length) {
      const reading = new Set<string | undefined>(next.map(({ shardId }) => shardId));
      for (const shard of await list()) {
        const { ShardId, ParentShardId, AdjacentParentShardId } = shard;
        if (
          known.has(ShardId) ||
          reading.has(ParentShardId) ||
          reading.has(AdjacentParentShardId)
        ) {
          continue;
        }
        known.add(ShardId);
        next.push(await open(shard, { kind: 'trim-horizon' }));
      }
    }
    places = next;
    await new Promise((resolve) => setTimeout(resolve, FOLLOW_GAP_MS));
  }
}
