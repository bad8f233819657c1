/** The tier where there is no Docker. */
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

const NO_ENGINE = 'tcp://127.0.0.1:9';
const SENTENCE = `No Docker engine answers at DOCKER_HOST=${NO_ENGINE}: start it, or unset the variable.`;
const TIER = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'localstack'];
const ONE_FILE = 'test/whole/stranger.test.ts';

function run(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    env: { ...process.env, DOCKER_HOST: NO_ENGINE, NO_COLOR: '1', PENSTOCK_REQUIRE: '', ...env },
  });
  return { status, said: stdout + stderr };
}

test('the tier is skipped by name, with its reason and the remedy, and the count says so', () => {
  const { status, said } = run([...TIER, ONE_FILE]);
  expect(said).toContain(`The LocalStack tier is skipped. ${SENTENCE}`);
  expect(said).toContain('1 skipped (1)');
  expect(status).toBe(0);
});

test('a tier that is required fails, in that one sentence', () => {
  const { status, said } = run([...TIER, ONE_FILE], { PENSTOCK_REQUIRE: 'localstack' });
  expect(said.split('\n').filter((line) => line !== '' && !line.includes('RUN'))).toEqual([
    SENTENCE,
  ]);
  expect(status).toBe(1);
});
