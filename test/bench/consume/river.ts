/** A stream of orders with a consumer, deployed in the local cloud of this process. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KinesisClient } from '@aws-sdk/client-kinesis';
import { clientOptions } from '#adapters/aws/client-options';
import { kinesisStreamWriter } from '#adapters/kinesis/stream-writer';
import { systemClock as clock } from '#adapters/system/clock';
import { synthesize } from '#cli/cloud/synthesize';
import { SCRATCH_DIRECTORY } from '#cli/project';
import { consumerNames, pipelineNames } from '#config/resource-names';
import type { PartitionKey } from '#core/record/records';
import type { StreamEvent } from '#core/record/stream-event';
import { startCloud } from '#local/cloud';
import type { Cloud } from '#local/cloud';
import { publish } from '#pipeline/publish';

export const CONCURRENCY = 16;
/** Records that warm up, in the path as in the table alone. */
export const WARM_UP = 1_000;
const BATCH = 500;
const STAGE = 'bench';
const NAMES = pipelineNames(STAGE, 'orders');
export const TABLE = consumerNames(STAGE, 'orders', 'orders').table;

const PIPELINE = `import { definePipeline } from '#config/define-pipeline';
export default definePipeline({
  name: 'orders',
  source: {
    url: 'http://localhost:9/',
    records: 'data',
    pagination: { kind: 'cursor', param: 'cursor', next: 'next_cursor' },
    incremental: { param: 'updated_since', field: 'updated_at', horizonSec: 90 },
    pageSize: { param: 'limit', value: 500 },
  },
  schedule: { everyMinutes: 5 },
  record: { key: 'order_id', version: 'updated_at', eventTime: 'updated_at' },
  stream: { load: { recordsPerSecPeak: 500, recordBytesMean: 700 } },
  consumers: [
    { kind: 'table', name: 'orders', batchSize: ${BATCH}, concurrency: ${CONCURRENCY} },
  ],
});
`;

/** @returns where it was synthesized, and what removes it. */
export async function synthesizeRiver(): Promise<{ cdkOut: string; remove(): void }> {
  mkdirSync(SCRATCH_DIRECTORY, { recursive: true });
  const directory = mkdtempSync(join(SCRATCH_DIRECTORY, 'bench-'));
  const pipelinesDirectory = join(directory, 'pipelines');
  mkdirSync(pipelinesDirectory);
  writeFileSync(join(pipelinesDirectory, 'orders.ts'), PIPELINE);
  const cdkOut = join(directory, 'cdk.out');
  await synthesize({ stage: STAGE, cdkOut, pipelinesDirectory, env: process.env });
  return { cdkOut, remove: () => rmSync(directory, { recursive: true, force: true }) };
}

/**
 * Put events into the stream, let the mapping go, and wait until all are consumed.
 *
 * @returns the cloud, still running, and records a second once it is warm.
 */
export async function flow(
  cdkOut: string,
  events: readonly StreamEvent[],
): Promise<{ cloud: Cloud; perSec: number }> {
  let finished = 0;
  let first = { records: 0, atMs: 0 };
  let lastMs = 0;
  const { promise: isThrough, resolve } = Promise.withResolvers<void>();
  const cloud = await startCloud({
    cdkOut,
    handlers: { [NAMES.pollFunction]: () => ({}) },
    beforeRunning: (endpoint) => put(endpoint, events),
    onEvent(event) {
      if (event.kind !== 'finished') return;
      finished += event.records;
      lastMs = performance.now();
      if (finished <= WARM_UP) first = { records: finished, atMs: lastMs };
      if (finished >= events.length) resolve();
    },
  });
  await isThrough;
  const perSec = ((finished - first.records) * 1_000) / (lastMs - first.atMs);
  return { cloud, perSec };
}

async function put(endpoint: string, events: readonly StreamEvent[]): Promise<void> {
  const client = new KinesisClient({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'bench', secretAccessKey: 'bench' },
    ...clientOptions({ requestTimeoutMs: 10_000, concurrency: 1 }),
  });
  const records = events.map((event) => {
    const data = Buffer.from(JSON.stringify(event));
    const partitionKey = event.subject as PartitionKey;
    const bytes = data.byteLength + partitionKey.length;
    return { partitionKey, bytes, record: { partitionKey, data } };
  });
  const { kind } = await publish(
    records,
    { pipeline: 'orders', requestsInFlight: 1 },
    {
      writer: kinesisStreamWriter(client, NAMES.stream),
      clock,
      chance: Math.random,
      report: () => undefined,
      mayPut: async () => 'granted',
    },
  );
  client.destroy();
  if (kind !== 'published') throw new Error(`the records are not published: ${kind}`);
}
