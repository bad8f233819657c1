/** Looks at one pipeline from outside, as often as it is asked to. */
import type { Connection } from '#cli/connection';
import { readCheckpoints } from '#cli/read-checkpoints';
import { readTruthSummary } from '#cli/reconcile/gather';
import type { TruthSummary } from '#cli/reconcile/gather';
import type { PipelineView, ShardView } from '#cli/render/live';
import { shardLag } from '#cli/shard-lag';
import { countAll } from '#cli/table-reader';
import { followStream } from './shard-follower.ts';
import type { FollowedShard, StreamFollower } from './shard-follower.ts';

export interface Watched {
  readonly name: string;
  readonly consumer: string;
  readonly stream: string;
  readonly table: string;
  readonly stateTable: string;
  readonly sourceUrl: string;
}

export interface Sight {
  readonly view: PipelineView;
  readonly truth: TruthSummary;
  /** The source is quiet, the readers are at the tip, and the table has as many items as rows. */
  readonly settled: boolean;
}

export interface PipelineWatch {
  readonly stream: StreamFollower;
  look(): Promise<Sight>;
}

/** @source Kinesis: a shard takes 1 MiB and 1,000 records a second. */
const SHARD_BYTES_PER_SEC = 1_048_576;
const SHARD_RECORDS_PER_SEC = 1_000;
/** A table is counted by reading it whole: not with every look. */
const COUNT_GAP_MS = 2_000;
/** The gap is at least so many times as long as the last count took. */
const COUNT_GAP_TIMES = 5;
/** How far back a rate looks. */
const RATE_WINDOW_MS = 1_000;

export function watchPipeline(
  { kinesis, dynamodb }: Pick<Connection, 'kinesis' | 'dynamodb'>,
  watched: Watched,
): PipelineWatch {
  const stream = followStream(kinesis, watched.stream);

  let counted = { rows: 0, atMs: 0, tookMs: 0 };

  return {
    stream,
    async look() {
      const { name: pipeline, consumer, stateTable } = watched;
      const [truth, done] = await Promise.all([
        readTruthSummary(watched.sourceUrl),
        readCheckpoints(dynamodb, { stateTable, pipeline, consumer }),
        stream.catchUp(),
      ]);
      const nowMs = Date.now();
      const shards = stream.shards();
      const lags = shards.map(({ shardId, records }) =>
        shardLag(records, done.get(shardId)?.sequenceNumber, nowMs),
      );
      const behindRecords = lags.reduce((sum, lag) => sum + lag.records, 0);
      const isStill = truth.quiet && behindRecords === 0;
      const gapMs = Math.max(COUNT_GAP_MS, counted.tookMs * COUNT_GAP_TIMES);
      if (isStill || counted.rows === 0 || nowMs - counted.atMs >= gapMs) {
        const rows = await countAll(dynamodb, watched.table);
        counted = { rows, atMs: nowMs, tookMs: Date.now() - nowMs };
      }
      const { rows } = counted;
      const { waits, unavailable, dropped } = truth.requests;
      const view: PipelineView = {
        name: pipeline,
        changes: truth.changes,
        changesPlanned: truth.changesPlanned,
        rows,
        streamRecords: shards.reduce((sum, { records }) => sum + records.length, 0),
        behindRecords,
        behindMs: Math.max(0, ...lags.map((lag) => lag.behindMs)),
        shards: shards.map((shard) => shardView(shard, nowMs)),
        waits,
        failures: unavailable + dropped,
      };
      const settled = isStill && rows >= truth.rowCount;
      return { view, truth, settled };
    },
  };
}

/** What a shard took in the last second, against what it takes at most. */
export function shardView({ shardId, records }: FollowedShard, nowMs: number): ShardView {
  let bytes = 0;
  let recent = 0;
  for (let at = records.length - 1; at >= 0; at -= 1) {
    const record = records[at];
    if (record === undefined || record.arrivalTimeMs <= nowMs - RATE_WINDOW_MS) break;
    recent += 1;
    bytes += record.data.byteLength + Buffer.byteLength(record.partitionKey);
  }
  const fill = Math.max(recent / SHARD_RECORDS_PER_SEC, bytes / SHARD_BYTES_PER_SEC);
  return { shardId, fill, recordsPerSec: recent };
}
