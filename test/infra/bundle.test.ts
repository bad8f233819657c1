import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadPipelines } from '#config/load-pipelines';
import type { LoadedPipeline } from '#config/load-pipelines';
import { bundle } from '#infra/bundle';
import { functionEntries } from '#infra/function-entries';
import { removeTemporary, temporary, tinyHandlers } from '#test/infra/synthesize';

const run = promisify(execFile);
const ROOT = process.cwd();
afterAll(removeTemporary);

const shipped = async (): Promise<readonly LoadedPipeline[]> => {
  const loaded = await loadPipelines({ directory: 'pipelines', stage: 'test' });
  if (loaded.kind === 'faulty') throw new Error(loaded.faults.join('\n'));
  return loaded.pipelines;
};

const bundleAll = (
  pipelines: readonly LoadedPipeline[],
  directory: string,
  functionsDirectory = resolve('functions'),
) =>
  bundle({
    entries: pipelines.flatMap((pipeline) =>
      functionEntries({ stage: 'test', pipeline, functionsDirectory }),
    ),
    directory,
    root: ROOT,
  });

/** Runs `expression` with `module` bound to a bundle that lies alone in an empty folder. */
async function alone(bundleFolder: string, expression: string): Promise<string> {
  const empty = temporary();
  cpSync(join(bundleFolder, 'index.mjs'), join(empty, 'index.mjs'));
  const script = `import('./index.mjs').then((module) => console.log(JSON.stringify(${expression})))`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], {
    cwd: empty,
    env: FUNCTION_ENVIRONMENT,
  });
  return stdout.trim();
}

/** What Lambda and the template set; nothing of the machine's own. */
const FUNCTION_ENVIRONMENT = {
  AWS_LAMBDA_FUNCTION_NAME: 'function',
  AWS_REGION: 'eu-west-1',
  AWS_ACCESS_KEY_ID: 'id',
  AWS_SECRET_ACCESS_KEY: 'key',
  PENSTOCK_STREAM: 'stream',
  PENSTOCK_CODE: 'c0de',
  PENSTOCK_TABLE: 'table',
  PENSTOCK_STATE_TABLE: 'state',
  PENSTOCK_QUARANTINE_BUCKET: 'bucket',
  PENSTOCK_SECRET: 'secret',
  PENSTOCK_STAGE: 'test',
  PENSTOCK_WAIT_MINUTES: '60',
  ORDERS_API_URL: 'https://orders.example/v1',
  PAYMENTS_API_URL: 'https://payments.example/v1',
};

describe('the functions of the repository', () => {
  let bundles: ReadonlyMap<string, string>;
  beforeAll(async () => {
    bundles = await bundleAll(await shipped(), join(temporary(), 'bundles'));
  });

  test('are one folder each, of one file', () => {
    expect([...bundles.keys()]).toEqual([
      'penstock-test-orders-poll',
      'penstock-test-orders-consume-orders',
      'penstock-test-orders-recover',
      'penstock-test-payments-poll',
      'penstock-test-payments-consume-payments',
      'penstock-test-payments-recover',
      'penstock-test-quakes-poll',
      'penstock-test-quakes-consume-quakes',
      'penstock-test-quakes-recover',
    ]);
    for (const folder of bundles.values()) expect(readdirSync(folder)).toEqual(['index.mjs']);
  });

  test('CDK-08: load in an empty folder', async () => {
    for (const folder of bundles.values()) {
      expect(await alone(folder, 'typeof module.handler')).toBe('"function"');
    }
  });

  test('take their credentials from the environment, and hold no search for others', () => {
    for (const folder of bundles.values()) {
      const text = readFileSync(join(folder, 'index.mjs'), 'utf8');
      expect(text.includes('AWS_SESSION_TOKEN')).toBe(true);
      expect(text.includes('AssumeRoleWithWebIdentity')).toBe(false);
    }
  });

  test('hold neither the schema nor a path of this machine', () => {
    for (const folder of bundles.values()) {
      const text = readFileSync(join(folder, 'index.mjs'), 'utf8');
      expect(text).not.toContain(ROOT);
      expect(text).not.toMatch(/unrecognized_keys|ZodError/);
    }
  });
});

test("a function is given its pipeline's settings, complete, and the file's map", async () => {
  const directory = temporary();
  const file = join(directory, 'mapped.ts');
  writeFileSync(file, 'export default { map: (record: object) => ({ ...record, seen: 7 }) };');
  const [pipeline] = await shipped();
  const bundles = await bundleAll(
    [{ ...pipeline!, path: file }],
    join(directory, 'bundles'),
    tinyHandlers(join(directory, 'functions')),
  );
  const [poll, consume] = [...bundles.values()];
  const made = 'module.handler()';
  expect(JSON.parse(await alone(poll!, `${made}.settings`))).toEqual(pipeline!.settings);
  expect(await alone(poll!, `${made}.second({ id: 3 })`)).toBe('{"id":3,"seen":7}');
  expect(await alone(consume!, `${made}.second`)).toBe('"orders"');
});

test('CDK-08: a dependency that asks for a module of Node by require finds it', async () => {
  const directory = temporary();
  mkdirSync(join(directory, 'node_modules/old-style'), { recursive: true });
  writeFileSync(
    join(directory, 'node_modules/old-style/index.js'),
    "const { sep } = require('path'); module.exports = () => sep;",
  );
  const bundles = await bundle({
    entries: [
      { name: 'fn', source: "import sep from 'old-style'; export const handler = () => sep();" },
    ],
    directory: join(directory, 'bundles'),
    root: directory,
  });
  expect(await alone(bundles.get('fn')!, 'module.handler()')).toBe('"/"');
});

describe('the same sources give the same bytes', () => {
  const digestsOf = (folders: Iterable<string>) =>
    [...folders].map((folder) => hash('sha256', readFileSync(join(folder, 'index.mjs'))));

  test('wherever they lie', async () => {
    const digests = await Promise.all(
      ['here', 'some/where/else'].map(async (place) => {
        const directory = join(temporary(), place);
        mkdirSync(directory, { recursive: true });
        const path = join(directory, 'p.ts');
        writeFileSync(path, 'export default { map: (record: object) => record };');
        const [pipeline] = await shipped();
        const functions = tinyHandlers(join(directory, 'functions'));
        const bundles = await bundleAll([{ ...pipeline!, path }], join(directory, 'b'), functions);
        return digestsOf(bundles.values());
      }),
    );
    expect(digests[0]).toEqual(digests[1]);
  });

  test('whatever is bundled beside them', async () => {
    const pipelines = await shipped();
    const together = await bundleAll(pipelines, join(temporary(), 'b'));
    const single = await bundleAll(pipelines.slice(1), join(temporary(), 'b'));
    const names = [...single.keys()];
    expect(digestsOf(single.values())).toEqual(digestsOf(names.map((name) => together.get(name)!)));
  });
});

test('a module that is not there is named, with the file and line that ask for it', async () => {
  const directory = temporary();
  writeFileSync(join(directory, 'mail.ts'), "\nimport 'no-such-mailer';\nexport default 1;");
  const source = `export { default } from ${JSON.stringify(join(directory, 'mail.ts'))};`;
  const failed = bundle({
    entries: [{ name: 'fn', source }],
    directory: join(directory, 'bundles'),
    root: directory,
  });
  await expect(failed).rejects.toThrow(
    'The functions cannot be bundled: mail.ts:2: Could not resolve "no-such-mailer"',
  );
});

test('what an earlier run left behind is gone', async () => {
  const directory = join(temporary(), 'bundles');
  const entry = (name: string) => ({ name, source: 'export const handler = () => 0;' });
  await bundle({ entries: [entry('old')], directory, root: ROOT });
  await bundle({ entries: [entry('new')], directory, root: ROOT });
  expect(readdirSync(directory)).toEqual(['new']);
});
