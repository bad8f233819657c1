/** How fast the local cloud hands records to a function that does nothing, in this process. */
import { pathToFileURL } from 'node:url';
import type { InvokeResult } from '#local/contracts';
import { createKinesis } from '#local/emulators/kinesis/kinesis';
import type { Kinesis } from '#local/emulators/kinesis/kinesis';
import { createMappings } from '#local/mappings';
import type { Mappings } from '#local/mappings';
import { openStorage } from '#local/storage';
import { SYSTEM_CLOCK } from '#local/system-clock';
import type { Row } from './row.ts';

const SHARDS = 8;
const RECORDS = 200_000;
const ROUNDS = 3;
const PUTS = 200;
const DATA = Buffer.from(JSON.stringify({ order: 'x'.repeat(200) })).toString('base64');
const DONE: InvokeResult = { kind: 'ok', payload: '{"batchItemFailures":[]}' };

/** The fastest of some rounds: what else runs on the machine only ever adds. */
export async function mappingRows(): Promise<readonly Row[]> {
  let fastestUs = Infinity;
  let mediansMs = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    fastestUs = Math.min(fastestUs, await recordUs());
    mediansMs = Math.min(mediansMs, await overheadMs());
  }
  return [
    {
      what: `a record through a mapping of ${SHARDS} shards to a function that does nothing`,
      unit: 'µs',
      value: fastestUs,
      bound: 1_000_000 / 30_000,
    },
    {
      what: 'from a record that is stored to the function that has it, median',
      unit: 'ms',
      value: mediansMs,
      bound: 5,
    },
  ];
}

interface World {
  readonly kinesis: Kinesis;
  readonly mappings: Mappings;
}

function openWorld(batchSize: number, onInvoke: () => void): World {
  const clock = SYSTEM_CLOCK;
  const storage = openStorage();
  const limits = { shardWriteRecordsPerSec: Infinity, shardWriteBytesPerSec: Infinity };
  const place = { storage, clock, region: 'us-east-1', accountId: '000000000000' };
  const kinesis = createKinesis({ ...place, limits });
  const { arn } = kinesis.createStream({ Name: 'river', ShardCount: SHARDS });
  const mappings = createMappings({
    log: kinesis,
    storage,
    clock,
    chance: Math.random,
    invoker: {
      async invoke() {
        onInvoke();
        return DONE;
      },
    },
    objectsAs: () => ({ put: () => {}, get: () => undefined, list: () => [], delete: () => {} }),
    queuesAs: () => ({ send: () => {} }),
    onEvent: () => {},
    measure: () => {},
  });
  const roleArn = 'arn:aws:iam::000000000000:role/consume';
  mappings.addFunction({ functionName: 'consume', functionArn: 'arn', roleArn });
  mappings.add(
    {
      FunctionName: 'consume',
      EventSourceArn: arn,
      StartingPosition: 'TRIM_HORIZON',
      BatchSize: batchSize,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    },
    '6f1c9a52-0000-4000-8000-000000000007',
  );
  return { kinesis, mappings };
}

async function put(kinesis: Kinesis, first: number, count: number): Promise<void> {
  const Records = Array.from({ length: count }, (_, i) => ({
    Data: DATA,
    PartitionKey: `key-${first + i}`,
  }));
  const { body = '' } = await kinesis.handle({
    method: 'POST',
    path: '/',
    query: new URLSearchParams(),
    headers: { 'x-amz-target': `${kinesis.target}.PutRecords` },
    body: Buffer.from(JSON.stringify({ StreamName: 'river', Records })),
  });
  const { FailedRecordCount } = JSON.parse(String(body)) as { FailedRecordCount: number };
  if (FailedRecordCount !== 0) throw new Error(`records are refused: ${String(body)}`);
}

async function recordUs(): Promise<number> {
  const { kinesis, mappings } = openWorld(1000, () => {});
  for (let first = 0; first < RECORDS; first += 500) await put(kinesis, first, 500);
  const startedMs = performance.now();
  mappings.start();
  while (!mappings.isIdle()) await new Promise((resolve) => setImmediate(resolve));
  const tookMs = performance.now() - startedMs;
  await mappings.stop();
  return (tookMs * 1000) / RECORDS;
}

async function overheadMs(): Promise<number> {
  let entered: (atMs: number) => void = () => {};
  const { kinesis, mappings } = openWorld(100, () => entered(performance.now()));
  let storedMs = 0;
  // Told before the mapping is, as it listens first.
  kinesis.onWrite('river', () => (storedMs = performance.now()));
  mappings.start();
  const tookMs: number[] = [];
  for (let place = 0; place < PUTS; place++) {
    const reached = new Promise<number>((resolve) => (entered = resolve));
    await put(kinesis, place, 1);
    tookMs.push((await reached) - storedMs);
  }
  await mappings.stop();
  return tookMs.toSorted((a, b) => a - b)[PUTS / 2] ?? Infinity;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const { what, unit, value, bound } of await mappingRows()) {
    console.log(`${what}: ${value.toFixed(2)} ${unit} (bound ${bound.toFixed(2)})`);
  }
}
