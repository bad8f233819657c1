import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { readAssembly } from '#local/template/assembly';
import { planResources } from '#local/template/plan-resources';

const cdkOut = mkdtempSync(join(tmpdir(), 'penstock-cdk-out-'));

beforeAll(() => {
  const { ORDERS_API_URL: _, PAYMENTS_API_URL: _also, ...env } = process.env;
  const synth = spawnSync(process.execPath, ['bin/app.mjs'], {
    env: { ...env, CDK_OUTDIR: cdkOut, CDK_CONTEXT_JSON: '{"stage":"local"}' },
    encoding: 'utf8',
  });
  expect(synth.stderr).toBe('');
  expect(synth.status).toBe(0);
});

test('this repository’s own app can be run here, whole', () => {
  const planned = planResources(readAssembly(cdkOut), {
    OrdersApiUrl: 'http://127.0.0.1:9/orders',
    PaymentsApiUrl: 'http://127.0.0.1:9/payments',
  });
  const made = planned.filter(({ inert }) => !inert).map(({ name }) => name);
  expect(made).toEqual(
    expect.arrayContaining([
      'penstock-local-state',
      'penstock-local-orders',
      'penstock-local-orders-orders',
      'penstock-local-orders-refused-000000000000-us-east-1',
      'penstock/local/orders-api-token',
      'penstock-local-orders-poll',
      'penstock-local-orders-consume-orders',
    ]),
  );
});

test('a setting without a value is asked for by its variable', () => {
  expect(() => planResources(readAssembly(cdkOut), {})).toThrow(
    'Parameter OrdersApiUrl of stack penstock-local-orders-run has no value: ' +
      'set the environment variable ORDERS_API_URL.',
  );
});
