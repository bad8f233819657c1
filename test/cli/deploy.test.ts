/** Deploying into a LocalStack, as far as it can be refused without one. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { deployPipelines } from '#cli/cloud/deploy';
import { loadAll } from '#cli/load';
import { LocalStackError } from '#localstack/localstack-error';

const NOWHERE = 'http://127.0.0.1:9';
const settings = {
  ORDERS_API_URL: `${NOWHERE}/orders`,
  ORDERS_API_TOKEN: 'token',
  PAYMENTS_API_URL: `${NOWHERE}/payments`,
  PAYMENTS_API_TOKEN: 'token',
};

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'penstock-cdk-out-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

async function deployInto(cdkOut: string, env: Readonly<Record<string, string>>) {
  const steps: string[] = [];
  const ask = { stage: 'dev', pipelines: await loadAll('dev'), tempo: true, endpoint: NOWHERE };
  const outcome = await deployPipelines({
    ...ask,
    cdkOut,
    env,
    onStep: (sentence) => steps.push(sentence),
  }).catch((error: unknown) => error);
  return { outcome, steps };
}

test('what is not set is refused before anything is deployed', async () => {
  const { ORDERS_API_TOKEN: _missing, ...env } = settings;
  const { outcome, steps } = await deployInto(emptyFolder(), env);
  expect(outcome).toMatchObject({ message: 'ORDERS_API_TOKEN is not set: orders needs it.' });
  expect(steps).toEqual([]);
});

test('a deployment that fails says what cdk said, and leaves a folder that was given', async () => {
  const cdkOut = emptyFolder();
  const { outcome } = await deployInto(cdkOut, { ...process.env, ...settings });
  expect(outcome).toBeInstanceOf(LocalStackError);
  expect((outcome as Error).message).toMatch(/^cdk deploy failed: .*\S/);
  expect(existsSync(cdkOut)).toBe(true);
});
