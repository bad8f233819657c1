/** What a replay would go through, as the stream stands. */
import { DescribeStreamSummaryCommand } from '@aws-sdk/client-kinesis';
import type { Shard } from '@aws-sdk/client-kinesis';
import { md5HashKey } from '#adapters/system/hash-key';
import { planReplay } from '#core/partition/plan-replay';
import type { ReplayShard } from '#core/partition/plan-replay';
import { CliError, UsageError } from './cli-error.ts';
import type { Connection } from './connection.ts';
import { NO_CLOUD_THERE } from './render/error.ts';
import type { ReplayRange, ReplayWords } from './replay-ask.ts';
import { listShards, openShard } from './stream-reader.ts';

export interface ReplayScope {
  readonly shards: readonly ReplayShard[];
  /** Shards that left the stream, with what was in them. */
  readonly goneShardIds: readonly string[];
  readonly retentionHours: number;
  /** Records that arrived before have left the stream, or are about to. */
  readonly horizonMs: number;
  /** Whether the range reaches behind that. */
  readonly reachesBehind: boolean;
}

const MS_PER_HOUR = 3_600_000;

/** @throws {UsageError} when the stream has no such place. */
export async function scopeOf(
  { kinesis }: Connection,
  { stream, words, range }: { stream: string; words: ReplayWords; range: ReplayRange },
  nowMs: number,
): Promise<ReplayScope> {
  const [listed, { StreamDescriptionSummary: summary }] = await Promise.all([
    listShards(kinesis, stream),
    kinesis.send(new DescribeStreamSummaryCommand({ StreamName: stream })),
  ]);
  if (summary?.RetentionPeriodHours === undefined) throw new CliError(NO_CLOUD_THERE);
  const { from, end } = range;
  const plan = planReplay(listed.map(toReplayShard), {
    from: from.kind === 'from' || end.kind === 'sequence' ? 'sequence' : 'any',
    shard: words.shard,
    hashKey: words.key === undefined ? undefined : md5HashKey(words.key),
  });
  if (plan.kind === 'refused') throw new UsageError(`${stream}: ${plan.detail}.`);
  const retentionHours = summary.RetentionPeriodHours;
  const horizonMs = nowMs - retentionHours * MS_PER_HOUR;
  const [first] = plan.shards;
  const isGone =
    from.kind === 'from' &&
    first !== undefined &&
    (await firstFrom(kinesis, { stream, shardId: first.shardId, from })) !== from.sequenceNumber;
  const reachesBehind = isGone || (from.kind === 'at' && from.timestampMs < horizonMs);
  const isFromOldest = from.kind === 'trim-horizon' || reachesBehind;
  return {
    shards: plan.shards,
    goneShardIds: isFromOldest ? plan.goneShardIds : [],
    retentionHours,
    horizonMs,
    reachesBehind,
  };
}

/** The first record that is left from a place on. */
async function firstFrom(
  client: Connection['kinesis'],
  place: Parameters<typeof openShard>[1],
): Promise<string | undefined> {
  const shard = await openShard(client, place);
  for (;;) {
    const { records, behindMs } = await shard.read(1);
    if (records[0] !== undefined) return records[0].sequenceNumber;
    if (behindMs === 0 || shard.isReadOut()) return undefined;
  }
}

function toReplayShard(shard: Shard): ReplayShard {
  const { ShardId = '', ParentShardId, AdjacentParentShardId, HashKeyRange: range } = shard;
  return {
    shardId: ShardId,
    parentShardIds: [ParentShardId, AdjacentParentShardId].filter((id) => id !== undefined),
    startingHashKey: BigInt(range?.StartingHashKey ?? 0),
    endingHashKey: BigInt(range?.EndingHashKey ?? 0),
  };
}
