/** What a function's first invocation costs beside starting Node with the same bundle. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { createFunctions } from '#local/lambda/functions/create-functions';
import { SYSTEM_CLOCK } from '#local/system-clock';
import type { Row } from './row.ts';

const ROUNDS = 11;

/** About what a function of ours carries. */
const SOURCE = `
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
const client = new DynamoDBClient({ region: 'us-east-1' });
export const handler = async (event) => ({ event, client: typeof client.send });`;

/** Each round measures both, so that a busy moment hits both; the medians are compared. */
export async function localLambdaRows(): Promise<readonly Row[]> {
  const directory = mkdtempSync(join(tmpdir(), 'penstock-bench-lambda-'));
  try {
    const assetDir = await bundled(directory);
    const compileCacheDir = join(directory, 'cache');
    const [cold, bare]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      bare.push(timeBare(assetDir, compileCacheDir));
      cold.push(await timeCold(assetDir, compileCacheDir));
    }
    return [
      {
        what: 'first invocation of a function ÷ starting Node with its bundle',
        unit: '×',
        value: median(cold) / median(bare),
        bound: 3,
      },
    ];
  } finally {
    rmSync(directory, { recursive: true });
  }
}

async function bundled(directory: string): Promise<string> {
  await build({
    stdin: { contents: SOURCE, resolveDir: process.cwd() },
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    mainFields: ['module', 'main'],
    banner: {
      js: "import { createRequire as r } from 'node:module'; const require = r(import.meta.url);",
    },
    outfile: join(directory, 'index.mjs'),
  });
  writeFileSync(join(directory, 'bare.mjs'), "import './index.mjs';");
  return directory;
}

function timeBare(assetDir: string, NODE_COMPILE_CACHE: string): number {
  const startedMs = performance.now();
  const { status } = spawnSync(process.execPath, [join(assetDir, 'bare.mjs')], {
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE },
  });
  if (status !== 0) throw new Error('the bundle does not start');
  return performance.now() - startedMs;
}

async function timeCold(assetDir: string, compileCacheDir: string): Promise<number> {
  const functions = createFunctions({
    region: 'us-east-1',
    aws: () => ({ AWS_ACCESS_KEY_ID: 'bench', AWS_SECRET_ACCESS_KEY: 'bench' }),
    clock: SYSTEM_CLOCK,
    onLog: () => undefined,
    compileCacheDir,
    faults: { onInvoke: () => undefined },
  });
  functions.add({
    name: 'cold',
    arn: 'arn:aws:lambda:us-east-1:000000000000:function:cold',
    assetDir,
    handler: 'index.handler',
    environment: {},
    memoryMb: 512,
    timeoutSec: 20,
  });
  const startedMs = performance.now();
  const { kind } = await functions.invoke('cold', '{}');
  const ms = performance.now() - startedMs;
  await functions.stop(0);
  if (kind !== 'ok') throw new Error('the function does not answer');
  return ms;
}

function median(samples: readonly number[]): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
