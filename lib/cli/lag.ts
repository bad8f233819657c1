/** Looks at consumers, once or again and again, and says how far they are behind. */
import { setTimeout as pause } from 'node:timers/promises';
import { breakerStore } from './breaker.ts';
import { UsageError } from './cli-error.ts';
import type { Connection } from './connection.ts';
import { EXIT } from './exit-codes.ts';
import { INTERRUPTED, listenForInterrupt } from './interrupt.ts';
import { printJson, printLines } from './io.ts';
import type { Io } from './io.ts';
import { consumerLag } from './lag-report.ts';
import type { ConsumerLag, ConsumerLook } from './lag-report.ts';
import { loadAll, pick, pickConsumer } from './load.ts';
import { measureLag } from './measure-lag.ts';
import type { LagAsk } from './measure-lag.ts';
import { withConnection } from './options.ts';
import type { CloudOptions } from './options.ts';
import { parseSpan } from './read-from.ts';
import { lagJson, renderLag } from './render/lag.ts';
import { fit } from './render/text.ts';
import { redrawnBlock } from './screen.ts';

export interface LagOptions extends CloudOptions {
  readonly consumer?: string;
  readonly watch?: boolean;
  readonly for?: string;
  readonly maxBehind?: string;
  readonly json?: boolean;
}

interface Told {
  readonly io: Io;
  /** Notes how the command ends. */
  fail(code?: number): void;
}

const WATCH_GAP_MS = 1_000;
/** A trend looks back so far: single batches are not seen. */
const TREND_LOOKS = 10;

export async function lag(
  name: string | undefined,
  options: LagOptions,
  { io, fail }: Told,
): Promise<void> {
  const { stage, json = false, watch } = options;
  const spanMs = options.for === undefined ? 0 : parseSpan(options.for, '--for');
  const boundMs =
    options.maxBehind === undefined ? Infinity : parseSpan(options.maxBehind, '--max-behind');
  if (watch && spanMs > 0) throw new UsageError('--watch looks again and again: leave out --for.');
  const asks = await asksOf(name, options.consumer, stage);
  await withConnection(options, io, async (connection) => {
    const look = () => Promise.all(asks.map((ask) => lookAt(connection, ask)));
    if (watch) return watchLag(look, json, io);
    const first = spanMs > 0 ? await look() : undefined;
    await pause(spanMs);
    const lags = (await look()).map((one, at) => consumerLag(one, first?.[at]));
    if (json) printJson(io, lagJson(lags));
    else printLines(io, renderLag(lags, Date.now()));
    if (lags.some(({ worst }) => (worst?.behindMs ?? 0) > boundMs)) fail(EXIT.overBound);
  });
}

async function asksOf(
  name: string | undefined,
  consumer: string | undefined,
  stage: string,
): Promise<readonly LagAsk[]> {
  const all = await loadAll(stage);
  if (name === undefined && consumer !== undefined) {
    throw new UsageError('--consumer wants its pipeline named before it.');
  }
  const chosen = name === undefined ? all : [pick(all, name)];
  return chosen.flatMap((pipeline) => {
    const consumers =
      consumer === undefined ? pipeline.consumers : [pickConsumer(pipeline, consumer)];
    return consumers.map((one) => ({ stage, pipeline: pipeline.name, consumer: one.name }));
  });
}

async function lookAt(connection: Connection, ask: LagAsk): Promise<ConsumerLook> {
  const { pipeline, consumer, stage } = ask;
  const [shards, { open }] = await Promise.all([
    measureLag(connection, ask),
    breakerStore(connection, stage).read({ pipeline, consumer }),
  ]);
  return { pipeline, consumer, shards, stopped: open };
}

/** Of JSON, one array a line; on a terminal, the table is drawn over itself. */
async function watchLag(
  look: () => Promise<readonly ConsumerLook[]>,
  json: boolean,
  io: Io,
): Promise<void> {
  const { signal, release } = listenForInterrupt(() => process.exit(INTERRUPTED));
  const width = io.terminalWidth;
  const block = redrawnBlock(io.out);
  const show = (lags: readonly ConsumerLag[]): void => {
    if (json) printLines(io, [JSON.stringify(lagJson(lags))]);
    else if (width === undefined) printLines(io, [...renderLag(lags, Date.now()), '']);
    else block.draw(renderLag(lags, Date.now()).map((line) => fit(line, width)));
  };
  const looks: (readonly ConsumerLook[])[] = [];
  try {
    while (!signal.aborted) {
      const last = await look();
      show(last.map((one, at) => consumerLag(one, looks[0]?.[at])));
      looks.push(last);
      if (looks.length > TREND_LOOKS) looks.shift();
      await pause(WATCH_GAP_MS, undefined, { signal }).catch(() => undefined);
    }
  } finally {
    release();
  }
}
