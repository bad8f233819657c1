/** Starts the one LocalStack of a run before its tests, and ends it after them. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { PROJECT_ROOT, SCRATCH_DIRECTORY } from '#cli/project';
import { bootstrap } from '#localstack/cdk';
import { startLocalStack } from '#localstack/container';
import type { LocalStack } from '#localstack/container';
import { LocalStackError } from '#localstack/localstack-error';

export default async function setup(project: TestProject): Promise<(() => Promise<void>) | void> {
  const env = process.env;
  let localstack: LocalStack;
  try {
    localstack = await startLocalStack({
      env,
      logDirectory: SCRATCH_DIRECTORY,
      onStep: (sentence) => console.log(sentence),
    });
  } catch (error) {
    if (!(error instanceof LocalStackError)) throw error;
    if (env['PENSTOCK_REQUIRE'] === 'localstack') return fail(error);
    console.log(`The LocalStack tier is skipped. ${error.message}`);
    return project.provide('localstack', error.message);
  }
  const { endpoint, relay, logFile, image } = localstack;
  const directory = join(SCRATCH_DIRECTORY, `run-${process.pid}`);
  // However the run ends. The container ends with this process by itself.
  process.once('exit', () => {
    for (const path of [directory, logFile]) rmSync(path, { recursive: true, force: true });
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
  localstack.died.catch(fail);
  await bootstrap({ endpoint, env, cwd: PROJECT_ROOT, logFile }).catch(fail);
  const isPublished = !image.runsFunctionsInside;
  project.provide('localstack', { endpoint, relay, logFile, directory, isPublished });
  return () => localstack.stop();
}

/** Whatever the tests would say now is beside the point. */
function fail(error: Error): never {
  console.error(error.message);
  process.exit(1);
}
