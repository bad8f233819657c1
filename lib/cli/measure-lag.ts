/** Measures how far a consumer is behind in each shard of its stream. */
import type { Shard } from '@aws-sdk/client-kinesis';
import { pipelineNames, stageNames } from '#config/resource-names';
import { sideBySide } from '#pipeline/side-by-side';
import type { Checkpoint } from '#ports/checkpoint-store';
import type { Connection } from './connection.ts';
import { readCheckpoints } from './read-checkpoints.ts';
import { listShards, openShard } from './stream-reader.ts';
import type { ReadFrom } from './stream-reader.ts';

/**
 * A lag is to be seen, not read: of a shard's five reads a second consumers need the most. Beyond so
 * many records the count is left open.
 */
const PAGES_MAX = 2;
const PAGE_RECORDS_MAX = 1_000;
const SHARDS_AT_ONCE = 16;

export interface LagAsk {
  readonly stage: string;
  readonly pipeline: string;
  readonly consumer: string;
}

export interface ShardStanding {
  readonly pipeline: string;
  readonly consumer: string;
  readonly shardId: string;
  /** `closed`: split or merged, and not drained. `waits`: read once its parents are drained. */
  readonly state: 'open' | 'closed' | 'waits';
  /** The last record that is done; null before the first. */
  readonly checkpoint: string | null;
  /** When that happened at its source; null where nothing says so. */
  readonly eventTimeMs: number | null;
  /** The last record of the shard; null when it has none, or was not read so far. */
  readonly tip: string | null;
  /** Age of the oldest record not yet done; 0 when all are done. */
  readonly behindMs: number;
  /** Null when there are more than were counted. */
  readonly behindRecords: number | null;
  /** Records done since the first checkpoint of the shard. */
  readonly doneTotal: number;
  readonly atMs: number;
}

/** Measure all shards; a closed shard that is done is left out. */
export async function measureLag(
  connection: Connection,
  ask: LagAsk,
): Promise<readonly ShardStanding[]> {
  const { stage, pipeline, consumer } = ask;
  const { stream } = pipelineNames(stage, pipeline);
  const { stateTable } = stageNames(stage);
  const done = await readCheckpoints(connection.dynamodb, { stateTable, pipeline, consumer });
  const shards = await listShards(connection.kinesis, stream);
  const rows = new Map<string, ShardStanding>();
  await sideBySide(shards, { inFlightMax: () => SHARDS_AT_ONCE }, async (shard) => {
    const { ShardId: shardId = '' } = shard;
    const checkpoint = done.get(shardId);
    const lag = await lagOf(connection, { stream, shardId, checkpoint });
    if (lag.behindRecords === 0 && isClosed(shard)) return;
    rows.set(shardId, {
      pipeline,
      consumer,
      shardId,
      state: isClosed(shard) ? 'closed' : 'open',
      checkpoint: checkpoint?.sequenceNumber ?? null,
      eventTimeMs: checkpoint?.eventTimeMs ?? null,
      doneTotal: checkpoint?.doneTotal ?? 0,
      ...lag,
    });
  });
  // Parents come first, so that a grandchild finds its parent waiting.
  for (const { ShardId: shardId = '', ParentShardId = '', AdjacentParentShardId = '' } of shards) {
    const row = rows.get(shardId);
    const waits = rows.has(ParentShardId) || rows.has(AdjacentParentShardId);
    if (row !== undefined && waits) rows.set(shardId, { ...row, state: 'waits' });
  }
  return [...rows.values()].sort((one, other) => (one.shardId < other.shardId ? -1 : 1));
}

function isClosed(shard: Shard): boolean {
  return shard.SequenceNumberRange?.EndingSequenceNumber !== undefined;
}

async function lagOf(
  { kinesis }: Connection,
  {
    stream,
    shardId,
    checkpoint,
  }: { stream: string; shardId: string; checkpoint: Checkpoint | undefined },
): Promise<Pick<ShardStanding, 'behindMs' | 'behindRecords' | 'tip' | 'atMs'>> {
  const done = checkpoint?.sequenceNumber;
  const from: ReadFrom =
    done === undefined ? { kind: 'trim-horizon' } : { kind: 'after', sequenceNumber: done };
  const shard = await openShard(kinesis, { stream, shardId, from });
  let records = 0;
  let oldestMs: number | undefined;
  let tip: string | null = done ?? null;
  for (let pages = 0; !shard.isReadOut();) {
    const page = await shard.read(PAGE_RECORDS_MAX);
    oldestMs ??= page.records[0]?.arrivalTimeMs;
    records += page.records.length;
    tip = page.records.at(-1)?.sequenceNumber ?? tip;
    const atMs = Date.now();
    const behindMs = oldestMs === undefined ? 0 : Math.max(0, atMs - oldestMs);
    if (page.behindMs === 0 || shard.isReadOut()) {
      return { behindMs, behindRecords: records, tip, atMs };
    }
    pages += page.records.length === 0 ? 0 : 1;
    if (pages >= PAGES_MAX) return { behindMs, behindRecords: null, tip: null, atMs };
  }
  return { behindMs: 0, behindRecords: 0, tip, atMs: Date.now() };
}
