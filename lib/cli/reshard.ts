/** Brings a stream to another number of shards: says how, asks, does it, and watches. */
import { setTimeout as pause } from 'node:timers/promises';
import {
  DescribeLimitsCommand,
  DescribeStreamSummaryCommand,
  LimitExceededException,
  UpdateShardCountCommand,
} from '@aws-sdk/client-kinesis';
import { dynamoReshardCalls } from '#adapters/dynamodb/reshard-calls';
import { loadPipelines } from '#config/load-pipelines';
import type { PipelineSettings } from '#config/pipeline-settings';
import { pipelineNames, stageNames } from '#config/resource-names';
import { peakForShards } from '#core/capacity/peak-for-shards';
import { planReshard, RESHARD_LIMITS } from '#core/capacity/plan-reshard';
import { planShards } from '#core/capacity/plan-shards';
import { breakerStore } from './breaker.ts';
import { CliError, UsageError } from './cli-error.ts';
import { confirmByName, requireConsent } from './confirm.ts';
import type { ConfirmOptions } from './confirm.ts';
import type { Connection } from './connection.ts';
import { EXIT } from './exit-codes.ts';
import { INTERRUPTED, listenForInterrupt } from './interrupt.ts';
import { printJson, printLines, sayLines, wholeNumber } from './io.ts';
import type { Io } from './io.ts';
import { pick } from './load.ts';
import { measureLag } from './measure-lag.ts';
import { withConnection } from './options.ts';
import type { CloudOptions } from './options.ts';
import { PIPELINES_DIRECTORY } from './project.ts';
import { NO_CLOUD_THERE, sentenceOf } from './render/error.ts';
import { activeLine, deploymentLines, drainLine, planLines } from './render/reshard.ts';
import type { DeploymentEdit, ReshardView } from './render/reshard.ts';

export interface ReshardOptions extends CloudOptions, ConfirmOptions {
  readonly to: string;
  readonly json?: boolean;
}

interface Told {
  readonly io: Io;
  /** Notes how the command ends. */
  fail(code?: number): void;
}

/** @source Kinesis Developer Guide, quotas: DescribeStreamSummary 20 times a second and account. */
const LOOK_GAP_MS = 1_000;
/** @source Kinesis API 2013-12-02, DescribeLimits: once a second and account. */
const LIMITS_GAP_MS = 1_000;
const LIMITS_ATTEMPTS_MAX = 20;

export async function reshardCommandLine(
  name: string,
  options: ReshardOptions,
  { io, fail }: Told,
): Promise<void> {
  const target = parseTarget(options.to);
  requireConsent(options, io);
  const outcome = await loadPipelines({ directory: PIPELINES_DIRECTORY, stage: options.stage });
  if (outcome.kind === 'faulty') throw new CliError(outcome.faults.join('\n'));
  const settings = pick(
    outcome.pipelines.map((one) => one.settings),
    name,
  );
  const file = outcome.pipelines.find((one) => one.settings === settings)?.file ?? '';
  await withConnection(options, io, async (connection) => {
    const interrupt = listenForInterrupt(() => process.exit(INTERRUPTED));
    const say = (lines: readonly string[]): void =>
      options.json ? sayLines(io, lines) : printLines(io, lines);
    try {
      const job = { connection, settings, file, target, signal: interrupt.signal, say };
      const view = await planOf(job, options);
      say(planLines(view));
      const isDone = view.steps.length === 0;
      if (!options.dryRun) {
        if (!isDone) await confirmByName(name, options, io);
        await scale(job, view, options);
        await drain(job, options);
      }
      if (interrupt.signal.aborted) {
        say(['Stopped looking: the same command goes on from where the stream is.']);
        fail(EXIT.interrupted);
      }
      say([...(options.dryRun ? ['Nothing was changed.'] : []), ...deploymentLines(view)]);
      if (options.json) printJson(io, { ...view, changed: !options.dryRun && !isDone });
    } finally {
      interrupt.release();
    }
  });
}

function parseTarget(to: string): number {
  const target = wholeNumber(to, '--to');
  const { shardsMax } = RESHARD_LIMITS;
  if (target >= 1 && target <= shardsMax) return target;
  throw new UsageError(`--to must be 1 to ${shardsMax} shards, not ${target}.`);
}

interface Job {
  readonly connection: Connection;
  readonly settings: PipelineSettings;
  readonly file: string;
  readonly target: number;
  readonly signal: AbortSignal;
  say(lines: readonly string[]): void;
}

/** @throws {CliError} when no calls lead there. */
async function planOf(job: Job, { stage }: ReshardOptions): Promise<ReshardView> {
  const { settings, target } = job;
  const { name: pipeline } = settings;
  const { stream } = pipelineNames(stage, pipeline);
  const { mode, openShards: from } = await untilActive(job, stream);
  if (mode === 'ON_DEMAND') {
    throw new UsageError(
      `${pipeline} is on demand: AWS adds and removes its shards. To choose their number, describe stream.load of pipelines/${job.file} by recordsPerSecPeak and recordBytesMean, and deploy.`,
    );
  }
  const [limits, calls] = await Promise.all([
    accountLimits(job),
    callsOf(job, stage).recent(Date.now()),
  ]);
  const accountShardsFree = (limits.ShardLimit ?? 0) - (limits.OpenShardCount ?? 0);
  const callsMade = calls.length;
  const plan = planReshard({ current: from, target, callsMade, accountShardsFree });
  if (plan.kind === 'refused') throw new CliError(`${pipeline}: ${plan.detail}.`);
  const { steps } = plan;
  const deployment = editOf(job, stage);
  return { pipeline, from, to: target, steps, callsMade, accountShardsFree, deployment };
}

/** Waits while others in the account ask in the same second. */
async function accountLimits({ connection: { kinesis }, signal }: Job) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await kinesis.send(new DescribeLimitsCommand({}));
    } catch (error) {
      const mayPass = error instanceof LimitExceededException && attempt < LIMITS_ATTEMPTS_MAX;
      if (!mayPass || signal.aborted) throw error;
      await pause(LIMITS_GAP_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

function callsOf({ connection: { dynamodb }, settings: { name: pipeline } }: Job, stage: string) {
  return dynamoReshardCalls(dynamodb, { tableName: stageNames(stage).stateTable, pipeline });
}

/** As `lib/config/shard-count.ts` counts them. */
function editOf({ settings, file, target }: Job, stage: string): DeploymentEdit {
  const { name, stream, consumers } = settings;
  const place = { file: `pipelines/${file}`, dataStack: pipelineNames(stage, name).dataStack };
  if ('onDemand' in stream.load) return { ...place, counts: null, peak: null };
  const load = { ...stream.load, sharedReaders: consumers.length };
  const counts = planShards(load).shardCount;
  const needed = counts === target ? undefined : peakForShards(load, target);
  return {
    ...place,
    counts,
    peak: needed === undefined ? null : { now: load.recordsPerSecPeak, needed },
  };
}

/** Waits while the stream is being changed. */
async function untilActive({ connection: { kinesis }, signal }: Job, StreamName: string) {
  for (;;) {
    const { StreamDescriptionSummary: found } = await kinesis.send(
      new DescribeStreamSummaryCommand({ StreamName }),
    );
    if (found?.OpenShardCount === undefined) throw new CliError(NO_CLOUD_THERE);
    const mode = found.StreamModeDetails?.StreamMode;
    if (found.StreamStatus === 'ACTIVE' || signal.aborted) {
      return { mode, openShards: found.OpenShardCount };
    }
    await pause(LOOK_GAP_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** @throws {CliError} when a call is refused, and where the stream is then. */
async function scale(job: Job, { steps, from, pipeline }: ReshardView, { stage }: ReshardOptions) {
  const { stream } = pipelineNames(stage, pipeline);
  let standing = from;
  for (const to of steps) {
    if (job.signal.aborted) return;
    const startedMs = Date.now();
    await job.connection.kinesis
      .send(
        new UpdateShardCountCommand({
          StreamName: stream,
          TargetShardCount: to,
          ScalingType: 'UNIFORM_SCALING',
        }),
      )
      .catch((error: unknown) => {
        throw new CliError(
          `${sentenceOf(error)} ${pipeline} has ${standing} shards: the same command goes on from there.`,
        );
      });
    await callsOf(job, stage).note(startedMs);
    await untilActive(job, stream);
    if (job.signal.aborted) return;
    job.say([activeLine({ from: standing, to, tookMs: Date.now() - startedMs })]);
    standing = to;
  }
}

/** Shows consumers reading what was closed, until nothing of it is left. */
async function drain({ connection, settings, signal, say }: Job, { stage }: ReshardOptions) {
  const { name: pipeline, consumers } = settings;
  for (const { name: consumer } of consumers) {
    let said = '';
    while (!signal.aborted) {
      const rows = await measureLag(connection, { stage, pipeline, consumer });
      // One that waits is closed or open; when its parents are drained, that shows.
      const closed = rows.filter(({ state }) => state === 'closed');
      if (closed.length === 0) {
        say([`${consumer} has drained what was closed.`]);
        break;
      }
      const { open } = await breakerStore(connection, stage).read({ pipeline, consumer });
      if (open !== undefined) {
        say([
          `${consumer} stands still: see penstock breaker show ${pipeline}. ${drainLine(closed)}`,
        ]);
        break;
      }
      const left = JSON.stringify(closed.map(({ behindRecords }) => behindRecords));
      if (left !== said) say([`${consumer}: ${drainLine(closed)}`]);
      said = left;
      await pause(LOOK_GAP_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}
