/** The whole demo: sources, cloud, live view, and in the end the judge. */
import { setTimeout } from 'node:timers/promises';
import { choosePipelines } from '#cli/choose-pipelines';
import { openHost } from '#cli/cloud/host';
import type { CloudName } from '#cli/cloud/cloud-name';
import type { CloudHost } from '#cli/cloud/cloud-host';
import { LOCAL_PLACE } from '#cli/cloud/running-cloud';
import type { RunningCloud } from '#cli/cloud/running-cloud';
import { CliError } from '#cli/cli-error';
import type { Environment } from '#cli/choose-cloud';
import { gatherEvidence } from '#cli/reconcile/gather';
import { judge } from '#cli/reconcile/judge';
import type { RowPlaces, Verdict } from '#cli/reconcile/judge';
import type { PipelineView } from '#cli/render/live';
import type { Reconciliation } from '#cli/render/verdict';
import { bucketName, consumerNames, pipelineNames, stageNames } from '#config/resource-names';
import { STAGE } from './stage.ts';
import { SOURCE_NAMES, SOURCE_SETTINGS, SOURCES, isSourceName, startSource } from './sources.ts';
import type { SourceName } from './sources.ts';
import { hasItems } from '#cli/table-reader';
import { deliverAgain, replayAll, reshard } from './trials.ts';
import type { TriedPipeline } from './trials.ts';
import { watchPipeline } from './watch-pipeline.ts';
import type { PipelineWatch, Sight } from './watch-pipeline.ts';

export interface DemoAsk {
  readonly env: Environment;
  readonly cloud: CloudName;
  /** Where the cloud answers on loopback; a free port unless given. */
  readonly port: number | undefined;
  readonly seed: number;
  readonly changes: number;
  readonly signal: AbortSignal;
  onStep(sentence: string, elapsedMs: number): void;
  onLook(views: readonly PipelineView[], elapsedMs: number): void;
  /** All is stopped once this has ended. @param variables with which a shell speaks to the cloud. */
  onJudged(
    found: Reconciliation,
    variables: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<void>;
}

interface DemoPipeline extends TriedPipeline {
  readonly places: RowPlaces;
  readonly watch: PipelineWatch;
  readonly sourceUrl: string;
  readonly table: string;
  readonly quarantineBucket: string;
}

/** Between asks whether a first row has landed: they cost next to nothing. */
const FIRST_ROW_GAP_MS = 100;
const LOOK_GAP_MS = 500;
/** A pause is so many times as long as the look before: who looks must not hold up what it looks at. */
const GAP_TIMES = 2;
/** The demo gives up when nothing has moved for this long. */
const STUCK_MS: Readonly<Record<CloudName, number>> = { embedded: 45_000, localstack: 180_000 };

/** Resharded while it flows, and replayed over the shards of before and after: small enough to wait for. */
const TRIED: SourceName = 'payments';

type Close = () => Promise<void>;

interface Play extends DemoAsk {
  readonly host: CloudHost;
  readonly closers: Close[];
  elapsed(): number;
}

/**
 * Run it to its end, which leaves nothing behind.
 *
 * @throws {CliError} when it cannot start, or when it is interrupted.
 * @throws {LocalStackError} when LocalStack cannot start, or ends by itself.
 */
export async function runDemo(ask: DemoAsk): Promise<void> {
  const { env, port, cloud } = ask;
  const startedMs = performance.now();
  const elapsed = (): number => performance.now() - startedMs;
  const onStep = (sentence: string): void => ask.onStep(sentence, elapsed());
  const host = await openHost(cloud, { env, port, onStep });
  const ending = new AbortController();
  const signal = AbortSignal.any([ask.signal, ending.signal]);
  const closers: Close[] = [];
  const played = play({ ...ask, onStep, signal, host, closers, elapsed });
  try {
    await Promise.race([played, host.died]);
  } catch (error) {
    if (ask.signal.aborted) throw interrupted();
    throw await host.causeOf(error);
  } finally {
    ending.abort();
    // A container takes what runs in it along: neither a look nor a poll is waited for.
    await host.close();
    await played.catch(() => undefined);
    for (const close of closers.toReversed()) await close();
  }
}

const interrupted = (): CliError => new CliError('Interrupted: nothing was compared.');

async function play(ask: Play): Promise<void> {
  const { host, signal, closers, elapsed } = ask;
  if (signal.aborted) throw interrupted();
  ask.onStep('Starting three sources and synthesizing the app …', elapsed());
  const chosen = await choosePipelines(SOURCE_NAMES, STAGE);
  const sources = await startSources(ask);
  const running = await host.up({
    ...chosen,
    stage: STAGE,
    tempo: 'polls',
    signal,
    env: {
      ...ask.env,
      ...SOURCE_SETTINGS,
      ORDERS_API_URL: await host.reach(sources.orders),
      PAYMENTS_API_URL: await host.reach(sources.payments),
      QUAKES_API_URL: await host.reach(sources.quakes),
    },
  });
  closers.push(() => running.stop());
  ask.onStep(`The cloud is up at ${running.endpoint}.`, elapsed());
  const demos = chosen.pipelines.map(({ name, consumers }) => {
    if (!isSourceName(name)) throw new CliError(`The demo has no source for ${name}.`);
    const consumer = consumers.find(({ kind }) => kind === 'table')?.name ?? name;
    return demoPipeline(running, { name, consumer, sourceUrl: sources[name] });
  });
  await deliverAgain(running, ask.cloud, demos);
  const tried = demos.find(({ name }) => name === TRIED);
  const firstRow = whenFirstRow(demos, running, ask);
  await lookUntilSettled(demos, ask, {
    isTime: (views) => {
      const view = views.find(({ name }) => name === TRIED);
      return view !== undefined && view.changes * 2 > view.changesPlanned;
    },
    do: async () => tried && ask.onStep(await reshard(running, tried), elapsed()),
  });
  if (tried !== undefined) ask.onStep(await replayAll(running, tried, signal), elapsed());
  await lookUntilSettled(demos, ask);
  const pipelines = await judgeAll(demos, running);
  const peakRssBytes = process.resourceUsage().maxRSS * 1024;
  // Where none has landed by now, none is waited for.
  const firstRowMs = await Promise.race([firstRow, Promise.resolve(undefined)]);
  const found = { pipelines, firstRowMs, totalMs: elapsed(), peakRssBytes };
  await ask.onJudged(found, host.variables(running.endpoint), signal);
}

/** Start them all; returns where each answers. */
async function startSources({ seed, changes, closers }: Play): Promise<Record<SourceName, string>> {
  const start = async (name: SourceName) => {
    const source = await startSource(name, { seed, changes });
    closers.push(() => source.stop());
    return [name, `${source.url}${SOURCES[name].path}`] as const;
  };
  const started = await Promise.all(SOURCE_NAMES.map(start));
  return Object.fromEntries(started) as Record<SourceName, string>;
}

function demoPipeline(
  { connection }: RunningCloud,
  { name, consumer, sourceUrl }: { name: SourceName; consumer: string; sourceUrl: string },
): DemoPipeline {
  const { stream, quarantineBucketPrefix } = pipelineNames(STAGE, name);
  const { table, function: functionName } = consumerNames(STAGE, name, consumer);
  const { stateTable } = stageNames(STAGE);
  const quarantineBucket = bucketName(quarantineBucketPrefix, LOCAL_PLACE);
  const watched = { name, consumer, stream, table, stateTable, sourceUrl };
  const watch = watchPipeline(connection, watched);
  const { places } = SOURCES[name];
  return { name, stream, functionName, places, watch, sourceUrl, table, quarantineBucket };
}

/** Something that is done once, amid the looks. */
interface Amid {
  isTime(views: readonly PipelineView[]): boolean;
  do(): Promise<unknown>;
}

/** Asked apart from the looks, which take long while all is at work; undefined when none ever lands. */
async function whenFirstRow(
  demos: readonly DemoPipeline[],
  { connection: { dynamodb } }: RunningCloud,
  { signal, elapsed }: Play,
): Promise<number | undefined> {
  while (!signal.aborted) {
    const asked = demos.map(({ table }) => hasItems(dynamodb, table).catch(() => false));
    if ((await Promise.all(asked)).includes(true)) return elapsed();
    await pause(FIRST_ROW_GAP_MS, signal);
  }
  return undefined;
}

/** Look until all is in place, or nothing moves any more. */
async function lookUntilSettled(
  demos: readonly DemoPipeline[],
  { cloud, signal, onLook, elapsed }: Play,
  amid?: Amid,
): Promise<void> {
  let waiting = amid;
  let moved = { at: elapsed(), trace: '' };
  for (;;) {
    if (signal.aborted) throw interrupted();
    const lookedMs = elapsed();
    const sights = await Promise.all(demos.map(({ watch }) => watch.look()));
    const now = elapsed();
    const views = sights.map(({ view }) => view);
    onLook(views, now);
    if (waiting?.isTime(views)) {
      await waiting.do();
      waiting = undefined;
    }
    const trace = traceOf(sights);
    if (trace !== moved.trace) moved = { at: now, trace };
    // Settled twice, and nothing moved between: a last poll may still be on its way.
    const still = sights.every(({ settled }) => settled) && now - moved.at > LOOK_GAP_MS;
    if (still || now - moved.at > STUCK_MS[cloud]) return;
    const lookMs = now - lookedMs;
    await pause(Math.max(LOOK_GAP_MS, lookMs * GAP_TIMES), signal);
  }
}

function traceOf(sights: readonly Sight[]): string {
  return sights
    .map(({ view }) => [view.changes, view.rows, view.streamRecords, view.behindRecords].join())
    .join(' ');
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal }).catch(() => undefined);
}

async function judgeAll(
  demos: readonly DemoPipeline[],
  { connection }: RunningCloud,
): Promise<Record<string, Verdict>> {
  const verdicts: Record<string, Verdict> = {};
  for (const { name, places, watch, sourceUrl, table, quarantineBucket } of demos) {
    await watch.stream.catchUp();
    const records = watch.stream.records();
    const ask = { connection, sourceUrl, table, quarantineBucket, records, places };
    const evidence = await gatherEvidence(ask);
    verdicts[name] = judge(evidence, places);
  }
  return verdicts;
}
