/** Replays a stream for one consumer: says what, asks, does it, and says how to go on. */
import { setTimeout as delay } from 'node:timers/promises';
import { consumerFunction } from '#adapters/kinesis/consumer-function';
import { dynamoReplayStore } from '#adapters/dynamodb/replay-store';
import { systemClock } from '#adapters/system/clock';
import { consumerNames, pipelineNames, stageNames } from '#config/resource-names';
import { findJob, holdJob, LEASE_MS, takeJob } from '#pipeline/hold-job';
import type { JobFound, JobTaken } from '#pipeline/hold-job';
import type { ConsumerCall } from '#ports/consumer-call';
import type { ReplayPlace, ReplayRun, ReplayStore } from '#ports/replay-store';
import { CliError } from './cli-error.ts';
import { confirmByName, requireConsent } from './confirm.ts';
import type { ConfirmOptions } from './confirm.ts';
import { EXIT } from './exit-codes.ts';
import { printJson, printLines, sayLines } from './io.ts';
import type { Io } from './io.ts';
import { jobOwner } from './job-owner.ts';
import { loadAll, pick, pickOnlyConsumer } from './load.ts';
import { withConnection } from './options.ts';
import type { CloudOptions } from './options.ts';
import { dryRunLine, endLines, replayJson, scopeLines } from './render/replay.ts';
import { count } from './render/text.ts';
import { parseRange, parseRate, replayCommand } from './replay-ask.ts';
import type { ReplayRange, ReplayWords } from './replay-ask.ts';
import { scopeOf } from './replay-plan.ts';
import type { ReplayScope } from './replay-plan.ts';
import { runReplay } from './replay-run.ts';
import type { ReplayJob } from './replay-run.ts';
import { cloudWords } from './typed-words.ts';

export interface ReplayOptions extends CloudOptions, ConfirmOptions, ReplayWords {
  readonly consumer?: string;
  readonly rate: string;
  readonly restart?: boolean;
  readonly json?: boolean;
}

interface Told {
  readonly io: Io;
  /** Notes how the command ends. */
  fail(code?: number): void;
}

type Taken = JobTaken<readonly ReplayPlace[]> & { readonly kind: 'taken' };

/** For counting: as fast as the shards are read. */
const UNBOUNDED = 1_000_000_000;

export async function replayCommandLine(
  name: string,
  options: ReplayOptions,
  told: Told,
): Promise<void> {
  const { stage } = options;
  const range = parseRange(options, Date.now());
  const recordsPerSec = parseRate(options.rate);
  requireConsent(options, told.io);
  const pipeline = pick(await loadAll(stage), name);
  const { name: consumer, kind, batchSize } = pickOnlyConsumer(pipeline, options.consumer);
  const { from, to, shard, key } = options;
  const hasEnd = to !== undefined;
  await withConnection(options, told.io, (connection) =>
    (options.dryRun ? countOnly : begin)(
      {
        connection,
        stage,
        stream: pipelineNames(stage, name).stream,
        words: { from, to, shard, key },
        view: { pipeline: name, consumer, kind, range, hasEnd, recordsPerSec },
        batchSize,
      },
      options,
      told,
    ),
  );
}

/** Reads all of it and sends nothing: the count is exact, and the reads are what it costs. */
async function countOnly(
  job: ReplayJob,
  { json }: ReplayOptions,
  { io, fail }: Told,
): Promise<void> {
  const { range, recordsPerSec } = job.view;
  const scope = await scopeOf(job.connection, { ...job, range }, Date.now());
  if (!json) printLines(io, scopeLines(job.view, scope));
  const call: ConsumerCall = async (records) => records.map(() => 'written');
  const view = { ...job.view, recordsPerSec: UNBOUNDED };
  const { end, tally } = await runReplay({ ...job, view, scope, places: [] }, { call }, io);
  if (end.kind === 'interrupted') fail(EXIT.interrupted);
  const { ends: _, ...counted } = replayJson(job.view, scope, tally) as { ends: unknown };
  const seconds = Math.ceil(tally.records / recordsPerSec);
  if (json) printJson(io, { ...counted, seconds, sent: false });
  else if (end.kind === 'done') printLines(io, [dryRunLine(tally, recordsPerSec)]);
}

async function begin(job: ReplayJob, options: ReplayOptions, told: Told): Promise<void> {
  const { connection, stage, words, view } = job;
  const { io } = told;
  const of = { pipeline: view.pipeline, consumer: view.consumer };
  const store = dynamoReplayStore(connection.dynamodb, { tableName: stageNames(stage).stateTable });
  const world = { store, clock: systemClock };
  const ask = JSON.stringify(words);
  const { restart = false } = options;
  const onWatch = (run: ReplayRun): void => io.err(`${watchLine(run)}\n`);
  const found = await findJob(of, { ask, restart }, world, onWatch);
  if (found.kind !== 'free') throw refusal(found, of, options);
  const goesOn = found.open;
  const range = goesOn ? (JSON.parse(goesOn.run.plan) as ReplayRange) : view.range;
  const scope = await scopeOf(connection, { ...job, range }, Date.now());
  const lines = [
    ...(goesOn ? [goesOnLine(goesOn.run, goesOn.places)] : []),
    ...scopeLines({ ...view, range }, scope),
  ];
  if (!options.json) printLines(io, lines);
  else if (!options.yes) sayLines(io, lines);
  await confirmByName(view.pipeline, options, io);

  const plan = JSON.stringify(range);
  const taken = await takeJob(of, found, { ask, plan, owner: jobOwner() }, world);
  if (taken.kind !== 'taken') throw refusal(taken, of, options);
  await work({ ...job, view: { ...view, range }, scope }, { store, taken }, options, told);
}

async function work(
  job: ReplayJob & { readonly scope: ReplayScope },
  { store, taken }: { readonly store: ReplayStore; readonly taken: Taken },
  options: ReplayOptions,
  { io, fail }: Told,
): Promise<void> {
  const { connection, stage, words, view, scope } = job;
  const { pipeline, consumer } = view;
  const of = { pipeline, consumer };
  const { function: functionName } = consumerNames(stage, pipeline, consumer);
  const call = consumerFunction(await connection.signed('lambda'), functionName);
  // A renewal that is to come keeps no process alive.
  const sleep = (ms: number) => delay(ms, undefined, { ref: false });
  const world = { store, clock: { ...systemClock, sleep } };
  const result = await holdJob(of, taken.run, world, async (lost) => {
    const ports = { call, move: (place: ReplayPlace) => store.move(of, taken.run, place) };
    const done = await runReplay({ ...job, places: taken.places ?? [] }, ports, io, lost);
    if (lost.aborted) throw new CliError('Stopped: another run has taken this replay up.');
    return { ...done, finished: done.end.kind === 'done' };
  });
  const resumeWith = replayCommand(of, words, moreWords(options));
  if (options.json) {
    const resume = result.finished ? null : resumeWith;
    const told = replayJson(view, scope, result.tally);
    printJson(io, { ...told, outcome: result.end, resumeWith: resume });
  } else printLines(io, endLines(result.end, result.tally, resumeWith));
  if (result.end.kind === 'interrupted') fail(EXIT.interrupted);
  if (result.end.kind === 'stuck') fail();
}

function goesOnLine({ startedAtMs }: ReplayRun, places: readonly ReplayPlace[]): string {
  const records = places.reduce((sum, place) => sum + place.records, 0);
  const began = new Date(startedAtMs).toISOString();
  return `Goes on with the replay that was begun at ${began}: ${count(records)} of its records are done.`;
}

/** It was not given back, and clocks differ: what is renewed meanwhile is at work. */
function watchLine({ owner }: ReplayRun): string {
  return `Begun by ${owner}, and not ended: looking for ${LEASE_MS / 1_000} s whether that is at work …`;
}

function refusal(
  {
    kind,
    run: { owner, leaseUntilMs, ask },
  }: Exclude<JobFound<readonly ReplayPlace[]>, { kind: 'free' }>,
  of: { readonly pipeline: string; readonly consumer: string },
  options: ReplayOptions,
): CliError {
  const untilText = new Date(leaseUntilMs).toISOString();
  return new CliError(
    kind === 'busy'
      ? `A replay of ${of.pipeline}, ${of.consumer} is at work: ${owner}. If that was killed, it can be taken up from ${untilText} on.`
      : `Another replay of ${of.pipeline}, ${of.consumer} is not over. This goes on with it; --restart gives it up:\n` +
          replayCommand(of, JSON.parse(ask) as ReplayWords, moreWords(options)),
  );
}

/** What the command that goes on must say beside the range. */
function moreWords(options: ReplayOptions): string[] {
  const { rate, yes } = options;
  return [
    ...(rate === '500' ? [] : ['--rate', rate]),
    ...cloudWords(options),
    ...(yes ? ['--yes'] : []),
  ];
}
