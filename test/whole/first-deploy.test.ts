/** The guide to a first deployment, followed: its commands in its order, as they stand there. */
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { startPipelines } from '#cli/cloud/start';
import { SOURCE_SETTINGS, SOURCES, startSource } from '#cli/demo/sources';
import type { SourceName } from '#cli/demo/sources';
import { PROJECT_ROOT } from '#cli/project';
import { LOCALSTACK_IDENTITY } from '#localstack/cdk';
import { newStage, scratch, synthesizeApp } from '#test/clouds/app';
import type { Cloud } from '#test/clouds/cloud';
import { cloudTest } from '#test/clouds/cloud-test';
import { guideBlocks } from '#test/docs/guide-blocks';
import type { GuideBlock } from '#test/docs/guide-blocks';

type Variables = Readonly<Record<string, string>>;

const GUIDE = 'docs/guide/first-deploy.md';
/** Long enough for a poll that waits for its source, in the slower of the clouds. */
const WAIT = { timeout: 120_000, interval: 500 };

// In LocalStack the app is deployed and destroyed several times.
vi.setConfig({ testTimeout: 1_800_000 });

const inLocalStack = inject('localstack') !== undefined;
const places = inLocalStack ? ['everywhere', 'localstack'] : ['everywhere'];
const lacksAws = inLocalStack && spawnSync('aws', ['--version']).status !== 0;
const title = 'every command of the guide that can be run here prints what the guide says';

if (lacksAws) test(title, ({ skip }) => skip('there is no aws command here'));
else cloudTest(title, follow);

async function follow(cloud: Cloud): Promise<void> {
  const variables = await chosen(cloud);
  const blocks = guideBlocks(GUIDE).filter(
    ({ verdict }) => verdict.kind === 'run' && places.includes(verdict.where),
  );
  for (const block of blocks) await run(block, variables);
  if (inLocalStack) await expectNothingLeft(variables);
}

/** The guide ends where it began: with an account that holds nothing of it. */
async function expectNothingLeft(variables: Variables): Promise<void> {
  const lists = ['kinesis list-streams', 'dynamodb list-tables', 's3 ls', 'lambda list-functions'];
  const all = [...lists, 'secretsmanager list-secrets', 'cloudwatch describe-alarms'];
  const { code, said } = await shell(all.map((list) => `aws ${list}`).join('\n'), variables);
  expect(code).toBe(0);
  expect(said).toContain('StreamNames');
  expect(said.match(new RegExp(`penstock[-/]${variables['STAGE']}[-/]\\S+`, 'g')) ?? []).toEqual(
    [],
  );
}

/** What the guide lets its reader choose, and what a person answers by hand. */
async function chosen(cloud: Cloud): Promise<Variables> {
  const source = {
    ...SOURCE_SETTINGS,
    QUAKES_API_URL: await urlOf('quakes', cloud),
    ORDERS_API_URL: await urlOf('orders', cloud),
  };
  const common = {
    ...source,
    CLOUD: 'local',
    // A longer one leaves no room in the names of what is shipped.
    STAGE: newStage().slice(0, 6),
    ALARM_EMAIL: 'you@example.com',
    NO_COLOR: '1',
  };
  if (cloud.endpoint === undefined) {
    return { ...common, AWS_ENDPOINT_URL: await up(common.STAGE, source) };
  }
  return {
    ...common,
    ...LOCALSTACK_IDENTITY,
    AWS_ENDPOINT_URL: cloud.endpoint,
    AWS_ENDPOINT_URL_S3: cloud.endpoint,
    // Version 1 of the AWS CLI asks this one alone.
    AWS_DEFAULT_REGION: LOCALSTACK_IDENTITY.AWS_REGION,
    CDK_OUTPUT: join(await scratch(), 'cdk.out'),
    CDK_REQUIRE_APPROVAL: 'never',
    CDK_FORCE: 'true',
    CDK_NOTICES: 'false',
  };
}

/** In the local cloud the guide deploys by `penstock up quakes`. */
async function up(stage: string, env: Variables): Promise<string> {
  const pipeline = readFileSync(join(PROJECT_ROOT, 'pipelines/quakes.ts'), 'utf8');
  const app = await synthesizeApp({ pipeline, env }, stage);
  const running = await startPipelines({ ...app, port: 0, tempo: false });
  onTestFinished(running.stop);
  return running.endpoint;
}

async function urlOf(name: SourceName, cloud: Cloud): Promise<string> {
  const source = await startSource(name, { seed: 7, changes: 50 });
  onTestFinished(() => source.stop());
  return cloud.reach(`${source.url}${SOURCES[name].path}`);
}

/** Once; again for as long as it does not print what it must. */
async function run({ place, commands, verdict }: GuideBlock, variables: Variables): Promise<void> {
  const prints = verdict.kind === 'run' ? verdict.prints : undefined;
  const once = async () => {
    const { code, said } = await shell(commands, variables);
    expect({ place, code, said }).toEqual({
      place,
      code: 0,
      said: expect.stringContaining(prints ?? '') as string,
    });
  };
  await (prints === undefined ? once() : vi.waitFor(once, WAIT));
}

async function shell(commands: string, variables: Variables) {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', commands], {
    cwd: PROJECT_ROOT,
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => void (said += text));
  }
  const code = await new Promise<number | null>((done, fail) => {
    child.once('error', fail).once('close', done);
  });
  return { code, said };
}
