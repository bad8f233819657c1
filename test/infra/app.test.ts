/** The app as the CDK starts it: a process, given context, that writes an assembly. */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { removeTemporary, temporary } from '#test/infra/synthesize';

const CDK_JSON = JSON.parse(readFileSync('cdk.json', 'utf8'));

/** Below the repository, so that `#config/define-pipeline` means the same as in `pipelines/`. */
let pipelines: string;
let plain: ReturnType<typeof synth>;
beforeAll(() => {
  plain = synth({});
  mkdirSync('.penstock', { recursive: true });
  pipelines = mkdtempSync('.penstock/pipelines-');
});
afterAll(() => {
  rmSync(pipelines, { recursive: true });
  removeTemporary();
});

function synth(context: Record<string, string>, env: Record<string, string> = {}) {
  const outdir = join(temporary(), 'cdk.out');
  const { status, stderr } = spawnSync(process.execPath, ['bin/app.mjs'], {
    encoding: 'utf8',
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      CDK_VALIDATION: 'false',
      CDK_OUTDIR: outdir,
      CDK_CONTEXT_JSON: JSON.stringify({ ...CDK_JSON.context, ...context }),
      ...env,
    },
  });
  const template = (stack: string) =>
    JSON.parse(readFileSync(join(outdir, `${stack}.template.json`), 'utf8'));
  return { status, stderr, outdir, template };
}

const stacksIn = (outdir: string) =>
  readdirSync(outdir)
    .filter((file) => file.endsWith('.template.json'))
    .map((file) => file.replace('.template.json', ''));

test('cdk.json starts the app', () => {
  expect(CDK_JSON.app).toBe('node bin/app.mjs');
});

test('the app synthesizes without an account, a region or a setting', () => {
  const { status, stderr, outdir, template } = plain;
  expect([status, stderr]).toEqual([0, '']);
  expect(stacksIn(outdir).sort()).toEqual([
    'penstock-dev-orders-data',
    'penstock-dev-orders-run',
    'penstock-dev-payments-data',
    'penstock-dev-payments-run',
    'penstock-dev-quakes-data',
    'penstock-dev-quakes-run',
    'penstock-dev-shared',
  ]);
  expect(template('penstock-dev-orders-run').Parameters.OrdersApiUrl).not.toHaveProperty('Default');
  expect(template('penstock-dev-quakes-run').Parameters.QuakesStart.Default).toBe('2026-11-01');
});

describe('an app that is asked for more', () => {
  let asked: ReturnType<typeof synth>;
  beforeAll(() => {
    asked = synth(
      { alarmEmail: 'ops@example.com', throwAway: 'true' },
      { ORDERS_API_URL: 'https://orders.example/v1' },
    );
  });

  test('a setting of the environment becomes the default of its parameter', () => {
    expect(asked.template('penstock-dev-orders-run').Parameters.OrdersApiUrl.Default).toBe(
      'https://orders.example/v1',
    );
  });

  test('an address for alarms and a stage to throw away are asked for by context', () => {
    const types = Object.values<{ Type: string; DeletionPolicy?: string }>(
      asked.template('penstock-dev-shared').Resources,
    ).map(({ Type, DeletionPolicy }) => [Type, DeletionPolicy]);
    expect(types).toContainEqual(['AWS::SNS::Subscription', undefined]);
    expect(types).toContainEqual(['AWS::DynamoDB::Table', 'Delete']);
  });
});

test('the same sources give the same templates', () => {
  const again = synth({});
  for (const stack of stacksIn(plain.outdir)) {
    expect(again.template(stack)).toEqual(plain.template(stack));
  }
});

describe('a stranger', () => {
  const file = () => join(pipelines, 'parcels.ts');

  test('adds a pipeline with one new file', () => {
    cpSync('pipelines/orders.ts', join(pipelines, 'orders.ts'));
    writeFileSync(
      file(),
      `import { definePipeline } from '#config/define-pipeline';

       export default definePipeline({
         name: 'parcels',
         source: {
           url: 'https://parcels.example/v2/parcels',
           records: 'parcels',
           pagination: { kind: 'offset', param: 'skip' },
           incremental: { param: 'changed_after', field: 'changed_at' },
           pageSize: { param: 'take', value: 100 },
         },
         schedule: { cron: '*/10 * * * ? *', timeZone: 'Asia/Tokyo' },
         record: { key: 'number', version: 'changed_at', eventTime: 'changed_at' },
         stream: { load: { onDemand: true } },
         consumers: [{ kind: 'table', name: 'latest' }],
         map: ({ secret: _, ...parcel }) => parcel,
       });
      `,
    );
    const { status, stderr, outdir, template } = synth({ pipelines, stage: 'own' });
    expect([status, stderr]).toEqual([0, '']);
    expect(stacksIn(outdir)).toContain('penstock-own-orders-run');
    const { Resources } = template('penstock-own-parcels-run');
    const names = Object.values<{ Properties: Record<string, unknown> }>(Resources)
      .map(({ Properties }) => Properties['FunctionName'])
      .filter((name) => typeof name === 'string');
    expect(names).toEqual([
      'penstock-own-parcels-poll',
      'penstock-own-parcels-consume-latest',
      'penstock-own-parcels-recover',
    ]);
  });

  test('reads of every mistake in one go, without a stack trace, and nothing is synthesized', () => {
    const text = readFileSync(file(), 'utf8');
    writeFileSync(file(), text.replace("param: 'skip'", "parm: 'skip'").replace('take', ''));
    writeFileSync(join(pipelines, 'unfinished.ts'), 'export default {\n  name: ,\n};\n');
    const { status, stderr, outdir } = synth({ pipelines });
    expect(status).toBe(1);
    expect(stderr.trimEnd().split('\n')).toEqual([
      "parcels.ts: source.pagination.parm: unknown key; did you mean 'param'?",
      'parcels.ts: source.pageSize.param: must name a query parameter',
      expect.stringMatching(/^unfinished\.ts: cannot be read: line 2: /),
    ]);
    expect(existsSync(join(outdir, 'manifest.json'))).toBe(false);
  });
});
