/** Reads a source's history onto its stream: says what, asks, does it, and says how to go on. */
import { setTimeout as delay } from 'node:timers/promises';
import { dynamoBackfillStore } from '#adapters/dynamodb/backfill-store';
import { dynamoPollControl } from '#adapters/dynamodb/poll-control';
import { refreshWatch } from '#adapters/http/auth/refresh-watch';
import { systemClock } from '#adapters/system/clock';
import { CliError } from '#cli/cli-error';
import { confirmByName, requireConsent } from '#cli/confirm';
import type { ConfirmOptions } from '#cli/confirm';
import { EXIT } from '#cli/exit-codes';
import { INTERRUPTED, listenForInterrupt } from '#cli/interrupt';
import { printJson, printLines, sayLines } from '#cli/io';
import type { Io } from '#cli/io';
import { jobOwner } from '#cli/job-owner';
import { loadOne } from '#cli/load';
import { withConnection } from '#cli/options';
import type { CloudOptions } from '#cli/options';
import { parseSpan } from '#cli/read-from';
import {
  backfillEndLines,
  backfillJson,
  cutOffLine,
  estimateLines,
  planLines,
} from '#cli/render/backfill';
import type { BackfillView } from '#cli/render/backfill';
import { seconds } from '#cli/render/text';
import { openSource } from '#cli/source/open-source';
import { sharedGrant } from '#cli/source/shared-grant';
import type { PipelineSettings } from '#config/pipeline-settings';
import { stageNames } from '#config/resource-names';
import { planSlices } from '#core/source/plan-slices';
import { findJob, holdJob, takeJob } from '#pipeline/hold-job';
import type { HeldJob } from '#ports/held-job';
import type { Report } from '#ports/report';
import { planBackfill } from './backfill-ask.ts';
import type { BackfillPlan, BackfillWords } from './backfill-ask.ts';
import { cutOffOf } from './cut-off.ts';
import { estimateBackfill } from './estimate.ts';
import { openGate } from './open-gate.ts';
import { goesOnLine, goOnCommand, refusal, watchLine } from './go-on.ts';
import { beginAfter, runBackfill } from './run-backfill.ts';
import type { BackfillJob, TakenBackfill } from './run-backfill.ts';

export interface BackfillOptions extends CloudOptions, ConfirmOptions, BackfillWords {
  readonly directory: string;
  readonly maxBehind?: string;
  readonly restart?: boolean;
  readonly json?: boolean;
}

interface Told {
  readonly io: Io;
  /** Notes how the command ends. */
  fail(code?: number): void;
}

export async function backfillCommandLine(
  name: string,
  options: BackfillOptions,
  told: Told,
): Promise<void> {
  requireConsent(options, told.io);
  const pipeline = await loadOne(name, options);
  const { settings } = pipeline;
  const { stage } = options;
  const refreshing = refreshWatch();
  await withConnection(options, told.io, async (connection) => {
    const grant = await sharedGrant(connection, { stage, settings }, refreshing.ofGrant);
    const opened = openSource(pipeline, { env: told.io.env, clock: systemClock, grant });
    const { incremental } = opened.options.source;
    if (incremental === undefined) {
      throw new CliError(
        `${name} cannot be asked for a stretch of history: its source is asked by no time (source.incremental).`,
      );
    }
    if (incremental.until === undefined) {
      throw new CliError(
        `${name} cannot be asked for a stretch of history: source.incremental.until must name the parameter that takes its end.`,
      );
    }
    const tableName = stageNames(stage).stateTable;
    const store = dynamoBackfillStore(connection.dynamodb, { tableName });
    const behindMsMax = behindOf(options, settings, opened);
    const job = {
      connection,
      stage,
      settings,
      opened,
      incremental,
      store,
      behindMsMax,
    };
    const work = () => (options.dryRun ? estimate(job, options, told) : begin(job, options, told));
    await refreshing.until(() => Infinity, work);
  });
}

/** Half of what rings, so that no alarm does for a backfill; less where polls themselves wait sooner. */
function behindOf(
  { maxBehind }: BackfillOptions,
  { alarms }: PipelineSettings,
  { options: { behind } }: BackfillJob['opened'],
): number {
  if (maxBehind !== undefined) return parseSpan(maxBehind, '--max-behind');
  return Math.min(alarms.iteratorAgeMinutes * 30_000, behind?.ageMsMax ?? Infinity);
}

async function planFor(
  { connection, stage, settings, incremental }: BackfillJob,
  words: BackfillWords,
) {
  const tableName = stageNames(stage).stateTable;
  const standing = await dynamoPollControl(connection.dynamodb, { tableName }).read(settings.name);
  const nowMs = Date.now();
  const cutOff = cutOffOf(standing, incremental, nowMs);
  return { cutOff, plan: planBackfill(words, cutOff, nowMs) };
}

function viewOf({ settings, opened, behindMsMax }: BackfillJob, plan: BackfillPlan): BackfillView {
  return {
    pipeline: settings.name,
    plan,
    slices: planSlices(plan).length,
    behindMsMax,
    leavesDeletes: opened.options.deletes !== undefined,
  };
}

async function estimate(job: BackfillJob, options: BackfillOptions, { io }: Told): Promise<void> {
  const { json } = options;
  const { plan, cutOff } = await planFor(job, options);
  const view = viewOf(job, plan);
  if (!json) printLines(io, [...planLines(view), cutOffLine(cutOff)]);
  const say = (line: string) => sayLines(io, [line]);
  const { connection, opened, incremental } = job;
  const gate = openGate(connection, job, { clock: systemClock, report: sayWait(say) });
  const slices = planSlices(plan);
  const found = await estimateBackfill(opened, { incremental, slices, gate }, say);
  if (json) printJson(io, { ...backfillJson(view), ...found, published: false });
  else printLines(io, estimateLines(view.slices, found));
}

function sayWait(say: (line: string) => void): Report {
  return (event) => {
    if (event.event !== 'BudgetWaited') return;
    say(`The budget of ${event.api} lets the next request leave in ${seconds(event.waitMs)}.`);
  };
}

async function begin(job: BackfillJob, options: BackfillOptions, told: Told): Promise<void> {
  const { settings, store } = job;
  const { io } = told;
  const { from, to, slice, restart = false } = options;
  const ask = JSON.stringify({ from, to, slice });
  const world = { store, clock: systemClock };
  const onWatch = (run: HeldJob): void => io.err(`${watchLine(run)}\n`);
  const found = await findJob(settings.name, { ask, restart }, world, onWatch);
  if (found.kind !== 'free') throw refusal(found, settings.name, options);
  const { open } = found;
  const planned = open ? undefined : await planFor(job, options);
  const plan = planned?.plan ?? (JSON.parse(open?.run.plan ?? '') as BackfillPlan);
  const lines = [
    ...(open ? [goesOnLine(open.run)] : []),
    ...planLines(viewOf(job, plan)),
    ...(planned ? [cutOffLine(planned.cutOff)] : []),
  ];
  if (!options.json) printLines(io, lines);
  else if (!options.yes) sayLines(io, lines);
  await confirmByName(settings.name, options, io);

  const before = await store.read(settings.name);
  const words = { ask, plan: JSON.stringify(plan), owner: jobOwner() };
  const taken = await takeJob(settings.name, found, words, world);
  if (taken.kind !== 'taken') throw refusal(taken, settings.name, options);
  const places = taken.places ?? beginAfter(before?.places);
  await work(job, { plan, taken: { ...taken, places }, options }, told);
}

async function work(
  job: BackfillJob,
  {
    plan,
    taken,
    options,
  }: {
    readonly plan: BackfillPlan;
    readonly taken: TakenBackfill;
    readonly options: BackfillOptions;
  },
  { io, fail }: Told,
): Promise<void> {
  const { settings, store } = job;
  const interrupt = listenForInterrupt(() => process.exit(INTERRUPTED));
  // A renewal that is to come keeps no process alive.
  const sleep = (ms: number) => delay(ms, undefined, { ref: false });
  const world = { store, clock: { ...systemClock, sleep } };
  const { end, tally } = await holdJob(settings.name, taken.run, world, async (lost) => {
    const signal = AbortSignal.any([interrupt.signal, lost]);
    const done = await runBackfill(job, { slices: planSlices(plan), taken, signal }, io);
    const ended = lost.aborted ? ({ kind: 'lost' } as const) : done.end;
    return { ...done, end: ended, finished: ended.kind === 'done' };
  }).finally(() => interrupt.release());
  const resumeWith = goOnCommand(settings.name, options, options);
  if (options.json) {
    const { waitsFor: _, readsAtMs: __, leftMs: ___, ...counted } = tally;
    const resume = end.kind === 'done' ? null : resumeWith;
    const told = backfillJson(viewOf(job, plan));
    printJson(io, { ...told, ...counted, outcome: end, resumeWith: resume });
  } else printLines(io, backfillEndLines(end, tally, resumeWith));
  if (end.kind === 'interrupted') fail(EXIT.interrupted);
  else if (end.kind !== 'done') fail();
}
