/**
 * A pipeline file of examples/ at work: poller and consumer wired as their functions are, between a
 * source and the local cloud's Kinesis, DynamoDB, S3 and Secrets Manager.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { onTestFinished } from 'vitest';
import { loadOne } from '#cli/load';
import { scanAll } from '#cli/table-reader';
import type { Item } from '#cli/table-reader';
import type { SequenceNumber } from '#core/record/records';
import { openTableSink } from '#functions/consume/open-table-sink';
import { wireConsumer } from '#functions/consume/wiring';
import { wirePoller } from '#functions/poll/wiring';
import type { Kinesis } from '#local/emulators/kinesis/kinesis';
import type { ConsumeBatch } from '#pipeline/consume';
import type { PollResult } from '#pipeline/poll';
import type { LoopbackAws } from './loopback-aws.ts';

const POLL_MS = 120_000;
/** Between two polls of a source that changes: as good as at once, and others run meanwhile. */
const TICK_MS = 50;
const TURNS_AT_REST = 6;
const BATCH = { records: 100, bytes: 1_000_000 };
/** Of a batch that is not done: as Lambda does, for a while. */
const DELIVERIES_MAX = 5;

export interface PolledPipeline {
  /** One tick of its schedule. */
  poll(): Promise<PollResult>;
  /**
   * Poll and consume for as long as `work` is under way, and then until a poll finds nothing new.
   *
   * @throws {Error} when none does, or a record stays in the stream.
   */
  through(work: Promise<void>): Promise<readonly PollResult[]>;
  items(): Promise<readonly Item[]>;
  /** Where refused records rest. */
  refused(): readonly string[];
}

export interface PipelineAsk {
  /** Folder of its file, from the root of the project. */
  readonly directory: string;
  readonly name: string;
  /** Under which it runs; its own unless given. */
  readonly as?: string | undefined;
  /** With the name of its source's secret, where it has one. */
  readonly env: Readonly<Record<string, string>>;
}

/** Start it with an empty stream and table. */
export async function polledPipeline(
  aws: LoopbackAws,
  { directory, env: given, ...ask }: PipelineAsk,
): Promise<PolledPipeline> {
  const loaded = await loadOne(ask.name, { stage: 'dev', directory });
  const { as: name = ask.name } = ask;
  const settings = { ...loaded.settings, name };
  const [consumer] = settings.consumers;
  if (consumer?.kind !== 'table') throw new Error(`${name} has no table`);
  const env = { ...aws.make(settings), ...given };
  const poller = wirePoller(settings, loaded.map, env);
  const openSink = openTableSink(settings, consumer, name);
  const { consume } = wireConsumer({ settings, consumer, env, way: {} }, openSink);
  const dynamodb = new DynamoDBClient({});
  onTestFinished(() => dynamodb.destroy());

  const poll = () => {
    const endMs = Date.now() + POLL_MS;
    return poller.poll({ remainingMs: () => endMs - Date.now() });
  };
  const readOn = streamReader(aws.kinesis, name, consume);
  const turn = async () => {
    const result = await poll();
    await readOn();
    return result;
  };
  return {
    poll,
    async through(work) {
      const results: PollResult[] = [];
      const under = { way: true };
      const end = () => (under.way = false);
      work.then(end, end);
      while (under.way) {
        results.push(await turn());
        await pause(TICK_MS);
      }
      await work;
      for (let left = TURNS_AT_REST; left > 0; left--) {
        const last = await turn();
        results.push(last);
        if (last.kind === 'caught-up' && last.published === 0) return results;
      }
      throw new Error(`${name} is not at rest: ${JSON.stringify(results.at(-1))}`);
    },
    items: () => scanAll(dynamodb, name),
    refused: () => aws.keysIn(name),
  };
}

/** Each shard from where it was left, in batches. */
function streamReader(kinesis: Kinesis, stream: string, consume: ConsumeBatch) {
  const places = new Map<string, string>();
  const readShard = async (shardId: string): Promise<void> => {
    for (let deliveries = 1; ; deliveries++) {
      const sequenceNumber = places.get(shardId);
      const from =
        sequenceNumber === undefined
          ? ({ kind: 'trim-horizon' } as const)
          : ({ kind: 'after', sequenceNumber } as const);
      const { records } = kinesis.read(stream, shardId, from, BATCH);
      const last = records.at(-1);
      if (last === undefined) return;
      const { resumeAt } = await consume(
        records.map((record) => ({
          ...record,
          shardId,
          sequenceNumber: record.sequenceNumber as SequenceNumber,
        })),
        { passage: 'stream', startUntilMs: Date.now() + POLL_MS },
      );
      if (resumeAt !== undefined && deliveries < DELIVERIES_MAX) continue;
      if (resumeAt !== undefined) throw new Error(`${stream}: a record stays at ${resumeAt}`);
      places.set(shardId, last.sequenceNumber);
      deliveries = 0;
    }
  };
  return async (): Promise<void> => {
    for (const { shardId } of kinesis.listShards(stream)) await readShard(shardId);
  };
}
