/** penstock plan: what would be made, and what it would cost, before anything is. */
import type { Command } from 'commander';
import { regionIn } from '#cli/choose-cloud';
import type { Environment } from '#cli/choose-cloud';
import { UsageError } from '#cli/cli-error';
import { printJson, printLines, wholeNumber } from '#cli/io';
import type { Io } from '#cli/io';
import type { CountedKey } from '#core/capacity/key-spread';
import { withExample, withJson, withStage } from '#cli/options';

/** Where nobody says otherwise. */
const REGION = 'us-east-1';

/** @example 'eu-central-1', 'us-gov-west-1', 'eusc-de-east-1' */
const REGION_NAME = /^([a-z]{2}|eusc-[a-z]{2})(-[a-z]+)+-\d{1,2}$/;

interface PlanOptions {
  readonly stage: string;
  readonly region?: string;
  readonly mean?: string;
  readonly keys?: string;
  readonly json?: boolean;
}

export function addPlan(program: Command, io: Io): void {
  const command = program
    .command('plan')
    .summary('say what would be made, and what it costs')
    .description(
      'Say what a deployment makes, how many shards it needs and why, how fast a single key can ' +
        'change, and what a month costs at the described load. Needs no cloud.',
    )
    .argument('[pipelines...]', 'all of them unless named')
    .option('--region <region>', `whose prices (default: AWS_REGION, else ${REGION})`)
    .option('--mean <percent>', 'mean load of a month, in per cent of the peak')
    .option(
      '--keys <file>',
      'spread the keys of one pipeline over its shards: lines such as ' +
        '{"partitionKey":"p-17","count":120}, or what penstock tail --json prints',
    )
    .action((names: readonly string[], options: PlanOptions) => plan(names, options, io));
  withExample(
    withJson(withStage(command)),
    'penstock plan orders --mean 10',
    'penstock plan orders --keys keys.jsonl',
  );
}

async function plan(names: readonly string[], options: PlanOptions, io: Io): Promise<void> {
  const ask = {
    stage: options.stage,
    region: regionOf(options.region, io.env),
    meanPercent: options.mean === undefined ? undefined : percentOf(options.mean),
  };
  const { loadAll, pick } = await import('#cli/load');
  const { planPipeline } = await import('#cli/plan/plan-pipeline');
  const { sharedResources } = await import('#cli/plan/resources');
  const all = await loadAll(ask.stage);
  const chosen = names.length === 0 ? all : [...new Set(names)].map((name) => pick(all, name));
  const keys = options.keys === undefined ? undefined : await keysIn(options.keys, chosen.length);
  const whole = {
    ask,
    shared: sharedResources(ask.stage),
    pipelines: chosen.map((settings) => planPipeline(settings, ask, keys)),
  };
  const { planJson, renderPlan } = await import('#cli/render/plan');
  if (options.json) printJson(io, planJson(whole));
  else printLines(io, renderPlan(whole));
}

/** @throws {UsageError} when it is not clear whose keys they are. */
async function keysIn(path: string, pipelines: number): Promise<readonly CountedKey[]> {
  if (pipelines !== 1) {
    throw new UsageError(`--keys is about one pipeline, not ${pipelines}: name it.`);
  }
  const { readKeyHistogram } = await import('#cli/plan/key-histogram');
  return readKeyHistogram(path);
}

/** @throws {UsageError} when it is no name of a region. */
function regionOf(said: string | undefined, env: Environment): string {
  const region = said ?? regionIn(env) ?? REGION;
  if (REGION_NAME.test(region)) return region;
  const variable = env['AWS_REGION'] ? 'AWS_REGION' : 'AWS_DEFAULT_REGION';
  const whence = said === undefined ? variable : '--region';
  throw new UsageError(`${whence} must be a region such as ${REGION}, not '${region}'.`);
}

/** @throws {UsageError} when it is no share of the peak. */
function percentOf(text: string): number {
  const percent = wholeNumber(text, '--mean');
  if (percent >= 1 && percent <= 100) return percent;
  throw new UsageError(`--mean must be 1 to 100 per cent of the peak, not ${text}.`);
}
