/** The tickets pipeline in a local cloud whose minutes pass at a test's command. */
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, onTestFinished, vi } from 'vitest';
import { parameterValues, secretValues } from '#cli/cloud/settings';
import { giveSecrets } from '#cli/cloud/put-secrets';
import { connect } from '#cli/connection';
import type { Connection } from '#cli/connection';
import type { PipelineSettings } from '#config/pipeline-settings';
import { startCloud } from '#local/cloud';
import type { Cloud } from '#local/cloud';
import type { FaultPlan } from '#local/contracts';
import { newStage, scratch, synthesizeApp } from '#test/clouds/app';
import { passingClock } from '#test/local/alarms/passing-clock';
import { PATIENTLY } from '#test/clouds/patience';
import { lateSource } from './alarms-late-source.ts';
import { namesOf } from './tickets-app.ts';
import { TICKETS_FILE, TICKETS_TOKEN, ticketsSource } from './tickets-source.ts';
import type { TicketsSource } from './tickets-source.ts';

export interface SynthesizedTickets {
  readonly stage: string;
  readonly cdkOut: string;
  readonly pipelines: readonly PipelineSettings[];
}

/** A poll may be outlasted in real time; a batch has so much of it that only a fault makes it slow. */
const fileWith = (consumer: string) =>
  TICKETS_FILE.replace(
    "consumers: [{ kind: 'table', name: 'tickets' }],",
    `poll: { timeoutSec: 10, behind: { ageMinutesMax: 1 } },
  consumers: [{ kind: 'table', name: 'tickets', ${consumer} }],`,
  );

/** Synthesize it once for all tests of a file; answers it while they run. */
export function ticketsOfFile(consumer = 'timeoutSec: 30'): () => SynthesizedTickets {
  let app: SynthesizedTickets;
  const removals: (() => Promise<void>)[] = [];
  const ask = { pipeline: fileWith(consumer), env: { TICKETS_API_URL: 'http://127.0.0.1:9' } };
  beforeAll(async () => {
    app = await synthesizeApp(ask, newStage(), (remove) => removals.push(remove));
  });
  afterAll(async () => {
    for (const remove of removals) await remove();
  });
  return () => app;
}

export type Resources = Readonly<Record<string, Resource>>;

export interface Resource {
  readonly Type: string;
  readonly Properties: Record<string, unknown>;
}

/** The stack that runs: its functions, its mapping, its alarms. */
export async function runResources(cdkOut: string): Promise<Resources> {
  const text = await readFile(await runTemplate(cdkOut), 'utf8');
  return (JSON.parse(text) as { Resources: Resources }).Resources;
}

async function runTemplate(cdkOut: string): Promise<string> {
  const names = await readdir(cdkOut);
  return join(cdkOut, names.find((name) => name.endsWith('-run.template.json')) ?? '');
}

export interface WorldAsk {
  readonly faults?: FaultPlan;
  readonly token?: string;
  /** Rows that the source has at the start. */
  readonly rows?: number;
  /** How long the source thinks about each page. */
  readonly lateMs?: number;
  /** What an operator changes in what is deployed. */
  readonly edit?: (resources: Resources) => void;
}

type IsDone = (world: World) => boolean;

export interface World {
  readonly cloud: Cloud;
  readonly connection: Connection;
  readonly source: TicketsSource;
  readonly names: ReturnType<typeof namesOf>;
  /** Lets a minute pass, with its tick; then waits until `isDone`. */
  minute(isDone: IsDone): Promise<void>;
  /** Waits until `isDone`; no minute passes. */
  rest(isDone: IsDone): Promise<void>;
  /** Whether every tick so far has ended. */
  isPolled(): boolean;
  /** Whether an attempt of the consumer has ended since the minute began. */
  isTried(): boolean;
  /** Ids of the alarms that ring. */
  ringing(): readonly string[];
  /** Ids of the alarms that have rung at any time. */
  readonly rung: ReadonlySet<string>;
  readonly defects: readonly unknown[];
  /** How long each poll took. */
  readonly pollsMs: readonly number[];
}

export async function openWorld(app: SynthesizedTickets, ask: WorldAsk = {}): Promise<World> {
  const { stage, pipelines } = app;
  const source = await ticketsSource();
  for (let row = 0; row < (ask.rows ?? 20); row++) source.change(`ticket-${row}`);
  const url = ask.lateMs === undefined ? source.url : await lateSource(source.url, ask.lateMs);
  const env = { TICKETS_API_URL: url, TICKETS_API_TOKEN: ask.token ?? TICKETS_TOKEN };
  const clock = passingClock();
  const names = namesOf({ stage });
  const prefix = `${names.stream}-`;
  const rung = new Set<string>();
  const defects: unknown[] = [];
  let ticks = 0;
  const pollsMs: number[] = [];
  let isTried = false;
  const cloud = await startCloud({
    cdkOut: await edited(app.cdkOut, ask.edit),
    parameters: parameterValues(pipelines, env),
    beforeRunning: (endpoint) => giveSecrets(endpoint, secretValues(pipelines, { stage, env })),
    clock,
    faults: ask.faults ?? {},
    onEvent(event) {
      if (event.kind === 'tick' && event.functionName === names.pollFunction) ticks++;
      if (event.kind === 'invocation' && event.functionName === names.pollFunction) {
        pollsMs.push(event.durationMs);
      }
      if (event.kind === 'invocation' && event.functionName === names.consumeFunction) {
        isTried = true;
      }
      if (event.kind === 'defect') defects.push(event.error);
      if (event.kind !== 'alarm' || event.state !== 'ALARM') return;
      rung.add(event.name.slice(prefix.length));
    },
  });
  onTestFinished(() => cloud.stop(0));
  const connection = connect(cloud.endpoint, {});
  onTestFinished(connection.close);
  const world: World = {
    cloud,
    connection,
    source,
    names,
    rung,
    defects,
    pollsMs,
    async minute(isDone) {
      isTried = false;
      await clock.pass(60_000);
      await world.rest(isDone);
    },
    async rest(isDone) {
      await vi.waitFor(() => {
        if (!isDone(world)) throw new Error('the minute’s work is not done');
      }, PATIENTLY);
    },
    isPolled: () => ticks > 0 && pollsMs.length >= ticks,
    isTried: () => isTried,
    ringing: () =>
      cloud
        .alarms()
        .flatMap(({ name, state }) => (state === 'ALARM' ? [name.slice(prefix.length)] : [])),
  };
  return world;
}

async function edited(cdkOut: string, edit: WorldAsk['edit']): Promise<string> {
  if (edit === undefined) return cdkOut;
  const copy = join(await scratch(), 'cdk.out');
  await cp(cdkOut, copy, { recursive: true });
  const path = await runTemplate(copy);
  const template = JSON.parse(await readFile(path, 'utf8')) as { Resources: Resources };
  edit(template.Resources);
  await writeFile(path, JSON.stringify(template));
  return copy;
}
