/** A pipeline's poller, in this process and on a cloud from here: what a backfill works with. */
import { setTimeout as delay } from 'node:timers/promises';
import { dynamoCheckpointReader } from '#adapters/dynamodb/checkpoint-reader';
import { dynamoPollControl } from '#adapters/dynamodb/poll-control';
import { kinesisStreamShards } from '#adapters/kinesis/stream-shards';
import { kinesisStreamWriter } from '#adapters/kinesis/stream-writer';
import { bucketQuarantine } from '#adapters/objects/quarantine';
import { systemChance } from '#adapters/system/chance';
import { systemClock } from '#adapters/system/clock';
import { contentDigest } from '#adapters/system/content-digest';
import { md5HashKey } from '#adapters/system/hash-key';
import type { Connection } from '#cli/connection';
import { openQuarantine } from '#cli/quarantine/open-quarantine';
import type { OpenSource } from '#cli/source/open-source';
import type { PipelineSettings } from '#config/pipeline-settings';
import { pipelineNames, stageNames } from '#config/resource-names';
import { shardPacer } from '#pipeline/pacer';
import type { BackfillWorld } from '#pipeline/backfill';
import type { Report } from '#ports/report';
import { openGate } from './open-gate.ts';

export async function openBackfill(
  connection: Connection,
  { options, source }: OpenSource,
  ask: {
    readonly stage: string;
    readonly settings: PipelineSettings;
    readonly signal: AbortSignal;
    readonly report: Report;
  },
): Promise<Omit<BackfillWorld, 'move' | 'onSlice' | 'onWait'>> {
  const { kinesis, dynamodb } = connection;
  const { stage, settings, signal, report } = ask;
  const { stream } = pipelineNames(stage, settings.name);
  const tableName = stageNames(stage).stateTable;
  // Whoever interrupts a wait does not wait for it.
  const sleep = (ms: number) => delay(ms, undefined, { signal }).catch(() => undefined);
  const clock = { ...systemClock, sleep };
  const { name: bucket } = await openQuarantine(connection, { stage, pipeline: settings });
  const control = dynamoPollControl(dynamodb, { tableName });
  const shards = kinesisStreamShards(kinesis, stream);
  const gate = openGate(connection, { stage, settings }, { clock, report });
  return {
    source,
    ...(gate && { gate }),
    writer: kinesisStreamWriter(kinesis, stream),
    quarantine: bucketQuarantine(await connection.signed('s3'), bucket),
    checkpoints: dynamoCheckpointReader(dynamodb, { tableName }),
    clock,
    chance: systemChance,
    digest: contentDigest,
    report,
    pacer: shardPacer(options, { shards, hashKey: md5HashKey, clock, report }),
    liveNotBeforeMs: async () => (await control.read(settings.name))?.notBeforeMs ?? 0,
    sentByOthers: async () => (await control.read(settings.name))?.sent,
  };
}
