/** Measures how far a consumer is behind in each shard of its stream. */
import type { Shard } from '@aws-sdk/client-kinesis';
import { pipelineNames, stageNames } from '#config/resource-names';
import type { Connection } from './connection.ts';
import { readCheckpoints } from './read-checkpoints.ts';
import type { LagRow } from './render/lag.ts';
import { listShards, openShard } from './stream-reader.ts';
import type { ReadFrom } from './stream-reader.ts';

/** Beyond so many pages of records the count is left open: a lag is to be seen, not read. */
const PAGES_MAX = 5;
const SHARDS_AT_ONCE = 16;

export interface LagAsk {
  readonly stage: string;
  readonly pipeline: string;
  readonly consumer: string;
}

/** Measure all shards; a closed shard that is done is left out. */
export async function measureLag(connection: Connection, ask: LagAsk): Promise<readonly LagRow[]> {
  const { stage, pipeline, consumer } = ask;
  const { stream } = pipelineNames(stage, pipeline);
  const { stateTable } = stageNames(stage);
  const done = await readCheckpoints(connection.dynamodb, { stateTable, pipeline, consumer });
  const waiting = [...(await listShards(connection.kinesis, stream))];
  const rows: LagRow[] = [];
  const work = async (): Promise<void> => {
    for (let shard = waiting.shift(); shard !== undefined; shard = waiting.shift()) {
      const { ShardId: shardId = '' } = shard;
      const checkpoint = done.get(shardId);
      const lag = await lagOf(connection, { stream, shardId, checkpoint });
      if (lag.behindRecords === 0 && isClosed(shard)) continue;
      rows.push({ pipeline, consumer, shardId, checkpoint: checkpoint ?? null, ...lag });
    }
  };
  await Promise.all(Array.from({ length: SHARDS_AT_ONCE }, work));
  return rows.sort((one, other) => (one.shardId < other.shardId ? -1 : 1));
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
  }: { stream: string; shardId: string; checkpoint: string | undefined },
): Promise<Pick<LagRow, 'behindMs' | 'behindRecords'>> {
  const from: ReadFrom =
    checkpoint === undefined
      ? { kind: 'trim-horizon' }
      : { kind: 'after', sequenceNumber: checkpoint };
  const shard = await openShard(kinesis, { stream, shardId, from });
  let records = 0;
  let oldestMs: number | undefined;
  for (let pages = 0; !shard.isReadOut();) {
    const page = await shard.read();
    oldestMs ??= page.records[0]?.arrivalTimeMs;
    records += page.records.length;
    const behindMs = oldestMs === undefined ? 0 : Math.max(0, Date.now() - oldestMs);
    if (page.behindMs === 0 || shard.isReadOut()) return { behindMs, behindRecords: records };
    pages += page.records.length === 0 ? 0 : 1;
    if (pages >= PAGES_MAX) return { behindMs, behindRecords: null };
  }
  return { behindMs: 0, behindRecords: 0 };
}
