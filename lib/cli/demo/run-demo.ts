/** The whole demo: sources, cloud, live view, and in the end the judge. */
import { choosePipelines } from '#cli/choose-pipelines';
import { startPipelines } from '#cli/cloud/start';
import type { RunningCloud } from '#cli/cloud/start';
import { CliError } from '#cli/cli-error';
import type { Environment } from '#cli/connection';
import { gatherEvidence } from '#cli/reconcile/gather';
import { judge } from '#cli/reconcile/judge';
import type { RowPlaces, Verdict } from '#cli/reconcile/judge';
import type { PipelineView } from '#cli/render/live';
import type { Reconciliation } from '#cli/render/verdict';
import { consumerNames, pipelineNames, stageNames } from '#config/resource-names';
import { startDemoSource } from './demo-source.ts';
import type { DemoSource } from './demo-source.ts';
import { watchPipeline } from './watch-pipeline.ts';
import type { PipelineWatch, Sight } from './watch-pipeline.ts';

export interface DemoAsk {
  readonly env: Environment;
  readonly seed: number;
  readonly changes: number;
  readonly signal: AbortSignal;
  onStep(sentence: string): void;
  onLook(views: readonly PipelineView[], elapsedMs: number): void;
}

interface DemoPipeline {
  readonly name: string;
  readonly places: RowPlaces;
  readonly watch: PipelineWatch;
  readonly sourceUrl: string;
  readonly table: string;
  readonly quarantineBucket: string;
}

/** Never the stage of anybody's own pipelines. */
const STAGE = 'demo';
const TOKEN = 'a-token-of-the-demo';
/** The first day of the replayed week. */
const QUAKES_START = '2018-01-31';
const PLACES: Readonly<Record<string, RowPlaces>> = {
  orders: { key: 'order_id', change: 'revision', deleted: 'deleted_at' },
  quakes: { key: 'id', change: 'properties.updated' },
};
/** Until the first row, look often enough to see it land. */
const FIRST_LOOK_GAP_MS = 200;
const LOOK_GAP_MS = 500;
/** The demo gives up when nothing has moved for this long. */
const STUCK_MS = 45_000;

/** Run it to its end. @throws {CliError} when it cannot start, or when it is interrupted. */
export async function runDemo(ask: DemoAsk): Promise<Reconciliation> {
  const startedMs = performance.now();
  const elapsed = (): number => performance.now() - startedMs;
  const sources: DemoSource[] = [];
  let running: RunningCloud | undefined;
  try {
    ask.onStep('Starting two sources and synthesizing the app …');
    const { pipelines, pipelinesDirectory } = await choosePipelines(Object.keys(PLACES), STAGE);
    const [orders, quakes] = await Promise.all([
      startDemoSource('orders-api.ts', [
        '--seed',
        String(ask.seed),
        '--changes',
        String(ask.changes),
        '--token',
        TOKEN,
      ]),
      startDemoSource('quakes-api.ts', ['--seed', String(ask.seed)]),
    ]);
    sources.push(orders, quakes);
    running = await startPipelines({
      stage: STAGE,
      pipelines,
      pipelinesDirectory,
      tempo: true,
      signal: ask.signal,
      env: {
        ...ask.env,
        ORDERS_API_URL: `${orders.url}/orders`,
        ORDERS_API_TOKEN: TOKEN,
        QUAKES_API_URL: `${quakes.url}/fdsnws/event/1/query`,
        QUAKES_START,
      },
    });
    ask.onStep(`The cloud is up at ${running.cloud.endpoint}.`);
    const demos = pipelines.map(({ name, consumers }) =>
      demoPipeline(running as RunningCloud, {
        name,
        consumer: consumers[0]?.name ?? name,
        sourceUrl: name === 'orders' ? orders.url : quakes.url,
      }),
    );
    const firstRowMs = await lookUntilSettled(demos, ask, elapsed);
    const verdicts = await judgeAll(demos, running);
    const peakRssBytes = process.resourceUsage().maxRSS * 1024;
    return { pipelines: verdicts, firstRowMs, totalMs: elapsed(), peakRssBytes };
  } finally {
    await running?.stop();
    await Promise.all(sources.map((source) => source.stop()));
  }
}

function demoPipeline(
  { cloud, connection }: RunningCloud,
  { name, consumer, sourceUrl }: { name: string; consumer: string; sourceUrl: string },
): DemoPipeline {
  const { stream, quarantineBucketPrefix } = pipelineNames(STAGE, name);
  const { table } = consumerNames(STAGE, name, consumer);
  const { stateTable } = stageNames(STAGE);
  const buckets = cloud.resources['AWS::S3::Bucket'] ?? [];
  const quarantineBucket = buckets.find((bucket) => bucket.startsWith(quarantineBucketPrefix));
  const places = PLACES[name];
  if (quarantineBucket === undefined || places === undefined) {
    throw new CliError(`The template has no quarantine bucket for ${name}.`);
  }
  const watched = { name, consumer, stream, table, stateTable, sourceUrl };
  const watch = watchPipeline(connection, watched);
  return { name, places, watch, sourceUrl, table, quarantineBucket };
}

/** Look until all is in place, or nothing moves any more; returns when a row first stood. */
async function lookUntilSettled(
  demos: readonly DemoPipeline[],
  { signal, onLook }: DemoAsk,
  elapsed: () => number,
): Promise<number | undefined> {
  let firstRowMs: number | undefined;
  let moved = { at: elapsed(), trace: '' };
  for (;;) {
    if (signal.aborted) throw new CliError('Interrupted: nothing was compared.');
    const sights = await Promise.all(demos.map(({ watch }) => watch.look()));
    const now = elapsed();
    if (sights.some(({ view }) => view.rows > 0)) firstRowMs ??= now;
    onLook(
      sights.map(({ view }) => view),
      now,
    );
    const trace = traceOf(sights);
    if (trace !== moved.trace) moved = { at: now, trace };
    // Settled twice, and nothing moved between: a last poll may still be on its way.
    const still = sights.every(({ settled }) => settled) && now - moved.at > LOOK_GAP_MS;
    if (still || now - moved.at > STUCK_MS) return firstRowMs;
    await pause(firstRowMs === undefined ? FIRST_LOOK_GAP_MS : LOOK_GAP_MS, signal);
  }
}

function traceOf(sights: readonly Sight[]): string {
  return sights
    .map(({ view }) => [view.changes, view.rows, view.streamRecords, view.behindRecords].join())
    .join(' ');
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
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
