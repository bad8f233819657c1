/** What the demo puts its pipelines through: on AWS each of it comes sooner or later. */
import { DescribeStreamSummaryCommand, UpdateShardCountCommand } from '@aws-sdk/client-kinesis';
import { consumerFunction } from '#adapters/kinesis/consumer-function';
import type { CloudName } from '#cli/cloud/cloud-name';
import type { RunningCloud } from '#cli/cloud/running-cloud';
import { scopeOf } from '#cli/replay-plan';
import { replayStream } from '#cli/replay-stream';
import { count, plural } from '#cli/render/text';
import type { Fault } from '#local/faults/fault';

export interface TriedPipeline {
  readonly name: string;
  readonly stream: string;
  readonly functionName: string;
}

/** Of the batches that were finished, how many come a second time. */
const AGAIN_SHARE = 0.1;

/** Delivers batches again and again; only the local cloud can be told to. */
export async function deliverAgain(
  { endpoint }: RunningCloud,
  cloud: CloudName,
  pipelines: readonly TriedPipeline[],
): Promise<void> {
  if (cloud !== 'embedded') return;
  for (const { functionName } of pipelines) {
    const fault: Fault = { kind: 'deliver-again', function: functionName, share: AGAIN_SHARE };
    await fetch(`${endpoint}/_penstock/faults`, { method: 'POST', body: JSON.stringify(fault) });
  }
}

/** Doubles a stream's shards while records flow; returns a sentence that says so. */
export async function reshard(
  { connection: { kinesis } }: RunningCloud,
  { name, stream }: TriedPipeline,
): Promise<string> {
  const asked = new DescribeStreamSummaryCommand({ StreamName: stream });
  const { StreamDescriptionSummary: summary } = await kinesis.send(asked);
  const before = summary?.OpenShardCount ?? 1;
  await kinesis.send(
    new UpdateShardCountCommand({
      StreamName: stream,
      TargetShardCount: before * 2,
      ScalingType: 'UNIFORM_SCALING',
    }),
  );
  return `Resharding ${name} from ${plural(before, 'shard')} to ${before * 2}, while it flows.`;
}

const BATCH_RECORDS = 500;

/** Gives a consumer its whole stream a second time; returns a sentence that says how that ended. */
export async function replayAll(
  { connection }: RunningCloud,
  { name, stream, functionName }: TriedPipeline,
  signal: AbortSignal,
): Promise<string> {
  const untilMs = Date.now();
  const range = { from: { kind: 'trim-horizon' }, end: { kind: 'time', untilMs } } as const;
  const { shards } = await scopeOf(connection, { stream, words: { from: '' }, range }, untilMs);
  const bounds = { key: undefined, recordsMax: BATCH_RECORDS, recordsPerSec: Infinity, signal };
  const ends = new Map<string, number>();
  const end = await replayStream(
    connection,
    { stream, range, shards, places: [], ...bounds },
    {
      call: consumerFunction(await connection.signed('lambda'), functionName),
      move: async () => {},
      onSent(_records, sent) {
        for (const one of sent) ends.set(one, (ends.get(one) ?? 0) + 1);
      },
    },
  );
  const total = [...ends.values()].reduce((sum, some) => sum + some, 0);
  const how = [...ends].map(([one, some]) => `${count(some)} ${one}`).join(', ');
  return end.kind === 'done'
    ? `Replayed ${name} from its oldest record: of ${plural(total, 'record')} ${how}.`
    : `The replay of ${name} ended early: ${end.kind}.`;
}
