/** The largest batch that Lambda may hand over, to the real function, in the memory that it is given. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { KinesisStreamEvent } from 'aws-lambda';
import { loadPipelines } from '#config/load-pipelines';
import { bundle } from '#infra/bundle';
import { functionEntries } from '#infra/function-entries';
import { createFunctions } from '#local/lambda/functions/create-functions';
import { SYSTEM_CLOCK } from '#local/system-clock';
import type { Row } from '#test/bench/row';
import { kinesisEvent } from './batches.ts';

const FUNCTION = 'penstock-bench-orders-consume-orders';
/** @source Lambda quotas: 6 MB for an invocation's payload; a mapping's batch has 10,000 records. */
const PAYLOAD_BYTES = 6 * 1024 * 1024;
const RECORDS_MAX = 10_000;
const MEMORY_MB = [512, 256];

/** @throws {Error} when the function fails: then there is nothing to measure. */
export async function memoryRows(): Promise<readonly Row[]> {
  const directory = mkdtempSync(join(tmpdir(), 'penstock-bench-'));
  const neighbours = createServer((request, response) => {
    request.resume().on('end', () => response.end('{}'));
  });
  await new Promise<void>((resolve) => neighbours.listen(0, '127.0.0.1', resolve));
  const { port } = neighbours.address() as AddressInfo;
  try {
    const assetDir = await bundled(directory);
    const batch = largestBatch();
    const payload = JSON.stringify(batch);
    const rows: Row[] = [];
    for (const memoryMb of MEMORY_MB) {
      const value = await peakMb({ assetDir, memoryMb, payload, port });
      const what = `${batch.Records.length.toLocaleString('en')} records in ${(payload.length / 1024 ** 2).toFixed(1)} MB to a function of ${memoryMb} MB: its peak`;
      rows.push({ what, unit: 'MB', value, bound: memoryMb });
    }
    return rows;
  } finally {
    neighbours.closeAllConnections();
    neighbours.close();
    rmSync(directory, { recursive: true });
  }
}

async function bundled(directory: string): Promise<string> {
  const loaded = await loadPipelines({ directory: 'pipelines', stage: 'bench' });
  if (loaded.kind === 'faulty') throw new Error(loaded.faults.join('\n'));
  const entries = loaded.pipelines
    .flatMap((pipeline) =>
      functionEntries({ stage: 'bench', pipeline, functionsDirectory: resolve('functions') }),
    )
    .filter(({ name }) => name === FUNCTION);
  await bundle({ entries, directory, root: process.cwd() });
  return join(directory, FUNCTION);
}

/** As many of the shortest events as a payload holds, each of a key of its own. */
function largestBatch(): KinesisStreamEvent {
  const shortest = (at: number) =>
    JSON.stringify({
      specversion: '1.0',
      id: `${at}`,
      source: 's',
      type: 'o.upsert',
      subject: `${at}`,
      time: '2031-06-12T16:00:00.000Z',
      version: '1',
      observed: '1',
      data: {},
    });
  const { Records } = kinesisEvent(Array.from({ length: RECORDS_MAX }, (_, at) => shortest(at)));
  let bytes = JSON.stringify({ Records: [] }).length;
  // A comma stands between two.
  const count = Records.findIndex(
    (one) => (bytes += JSON.stringify(one).length + 1) > PAYLOAD_BYTES,
  );
  return { Records: count < 0 ? Records : Records.slice(0, count) };
}

async function peakMb(ask: {
  readonly assetDir: string;
  readonly memoryMb: number;
  readonly payload: string;
  readonly port: number;
}): Promise<number> {
  let peak = Number.NaN;
  const lines: string[] = [];
  const functions = createFunctions({
    region: 'us-east-1',
    aws: () => ({
      AWS_ACCESS_KEY_ID: 'bench',
      AWS_SECRET_ACCESS_KEY: 'bench',
      AWS_ENDPOINT_URL: `http://127.0.0.1:${ask.port}`,
    }),
    clock: SYSTEM_CLOCK,
    onLog: ({ line }) => lines.push(line),
    onReport: ({ memoryUsedMbMax = Number.NaN }) => (peak = memoryUsedMbMax),
  });
  functions.add({
    name: FUNCTION,
    arn: `arn:aws:lambda:us-east-1:000000000000:function:${FUNCTION}`,
    assetDir: ask.assetDir,
    handler: 'index.handler',
    environment: {
      PENSTOCK_TABLE: 'bench',
      PENSTOCK_STATE_TABLE: 'bench',
      PENSTOCK_QUARANTINE_BUCKET: 'bench',
      PENSTOCK_CODE: 'bench',
    },
    memoryMb: ask.memoryMb,
    timeoutSec: 300,
  });
  const result = await functions.invoke(FUNCTION, ask.payload);
  await functions.stop(0);
  if (result.kind !== 'ok' || result.payload !== '{"batchItemFailures":[]}') {
    throw new Error(`${JSON.stringify(result)}\n${lines.slice(-5).join('\n')}`);
  }
  return peak;
}
