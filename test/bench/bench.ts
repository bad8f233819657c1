/** `npm run bench`: what is promised about speed and size, as ratios inside one run. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { loadPipelines } from '#config/load-pipelines';
import { bundle } from '#infra/bundle';
import type { BundleEntry } from '#infra/bundle';
import { functionEntries } from '#infra/function-entries';
import { demoRows } from './demo-rows.ts';
import { renderRows } from './render-rows.ts';
import { writeSection } from './write-section.ts';
import { helpRow } from './help-row.ts';
import { dynamodbRows } from './local-dynamodb.ts';
import { localKinesisRows } from './local-kinesis.ts';
import { localLambdaRows } from './local-lambda.ts';
import { mappingRows } from './local-mapping.ts';
import { stepRow } from './local-step.ts';
import { statusRow } from './status-row.ts';
import type { Row } from './row.ts';

const HELP = `npm run bench: sizes, import ratios and the demo's own numbers, against their bounds.

Options:
  --write   put the table into docs/reference/benchmarks.md

Example:
  npm run bench -- --write`;

const FLOOR: BundleEntry = {
  name: 'floor',
  source: `import { DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
const client = new DynamoDBClient({});
export const handler = (input) => client.send(new UpdateItemCommand(input));`,
};
const CONSUME = 'penstock-bench-orders-consume-orders';
const POLL = 'penstock-bench-orders-poll';
const ROUNDS = 15;
/** What a function must find to be imported; nothing is called. */
const FUNCTION_ENVIRONMENT = {
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'bench',
  AWS_SECRET_ACCESS_KEY: 'bench',
  AWS_LAMBDA_FUNCTION_NAME: 'bench',
  PENSTOCK_STREAM: 'bench',
  PENSTOCK_CODE: 'bench',
  PENSTOCK_TABLE: 'bench',
  PENSTOCK_STATE_TABLE: 'bench',
  PENSTOCK_QUARANTINE_BUCKET: 'bench',
};

if (process.argv.includes('--help')) {
  console.log(HELP);
} else {
  const directory = mkdtempSync(join(tmpdir(), 'penstock-bench-'));
  try {
    const rows = [
      ...(await bundleRows(directory)),
      helpRow(),
      ...(await localKinesisRows()),
      ...(await dynamodbRows()),
      ...(await mappingRows()),
      await stepRow(),
      ...(await localLambdaRows()),
      await statusRow(directory),
      ...demoRows(),
    ];
    const table = renderRows(rows);
    console.log(table);
    if (process.argv.includes('--write')) writeSection('generated', table);
    if (rows.some(({ value, bound }) => value > bound)) process.exitCode = 1;
  } finally {
    rmSync(directory, { recursive: true });
  }
}

async function bundleRows(directory: string): Promise<readonly Row[]> {
  const loaded = await loadPipelines({ directory: 'pipelines', stage: 'bench' });
  if (loaded.kind === 'faulty') throw new Error(loaded.faults.join('\n'));
  const entries = loaded.pipelines.flatMap((pipeline) =>
    functionEntries({ stage: 'bench', pipeline, functionsDirectory: resolve('functions') }),
  );
  await bundle({ entries, directory, root: process.cwd() });
  await bundleFloor(join(directory, FLOOR.name, 'index.mjs'));
  const file = (name: string) => join(directory, name, 'index.mjs');
  const sizeKb = (name: string) => statSync(file(name)).size / 1000;

  const importMs: Record<string, number[]> = { [FLOOR.name]: [], [CONSUME]: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, samples] of Object.entries(importMs)) samples.push(timeImport(file(name)));
  }
  return [
    { what: 'bundle of consume', unit: 'kB', value: sizeKb(CONSUME), bound: 400 },
    { what: 'bundle of poll', unit: 'kB', value: sizeKb(POLL), bound: 460 },
    {
      what: 'import of consume ÷ import of a bare DynamoDB client',
      unit: '×',
      value: median(importMs[CONSUME] ?? []) / median(importMs[FLOOR.name] ?? []),
      bound: 1.25,
    },
  ];
}

/** As whoever uses the client bundles it: with its search for credentials. */
async function bundleFloor(outfile: string): Promise<void> {
  await build({
    stdin: { contents: FLOOR.source, resolveDir: process.cwd() },
    outfile,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
    banner: {
      js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);",
    },
  });
}

/** Milliseconds that a fresh process takes to import `path`, as the process itself measures. */
function timeImport(path: string): number {
  const code = `const t = performance.now(); await import(${JSON.stringify(path)}); console.log(performance.now() - t); process.exit()`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], ...FUNCTION_ENVIRONMENT },
  });
  const ms = Number(stdout.trim());
  if (!(ms > 0)) throw new Error(`${path} did not import: ${stderr}`);
  return ms;
}

function median(samples: readonly number[]): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
