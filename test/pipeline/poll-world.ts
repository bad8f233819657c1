/** A world for polls: time that moves only when told, and everything else in memory. */
import { memoryPollStateStore } from '#adapters/memory/poll-state-store';
import { memoryStreamWriter } from '#adapters/memory/stream-writer';
import type { MemoryStream } from '#adapters/memory/stream-writer';
import { contentDigest } from '#adapters/system/content-digest';
import type { JsonValue } from '#core/record/json';
import type { StreamEvent } from '#core/record/stream-event';
import type { Incremental } from '#core/source/page-query';
import type { TelemetryEvent } from '#core/telemetry-event';
import type { PollOptions, PollWorld } from '#pipeline/poll-options';
import type { Clock } from '#ports/clock';
import type { PageAnswer } from '#ports/page-source';
import type { SetAside } from '#ports/quarantine';

export const START_MS = Date.parse('2031-06-12T16:00:00Z');
export const HORIZON_MS = 90_000;

export const incremental: Incremental = {
  param: 'updated_since',
  path: ['updated_at'],
  paramFormat: 'iso',
  fieldFormat: 'iso',
  horizonMs: HORIZON_MS,
  inclusive: true,
  ordered: true,
};

export const options: PollOptions = {
  pipeline: 'orders',
  source: {
    fixed: {},
    pagination: { kind: 'cursor', param: 'cursor', next: ['next'] },
    pageSize: { param: 'limit', value: 3 },
    incremental,
  },
  records: { path: ['items'], keyedBy: undefined },
  rules: {
    pipeline: 'orders',
    key: [['order_id']],
    version: { path: ['updated_at'], format: 'iso' },
    eventTime: { path: ['updated_at'], format: 'iso' },
    partitionBy: [['order_id']],
    deleted: undefined,
    map: undefined,
  },
  recordBytesMax: 1024 * 1024,
  requestsInFlight: 3,
  sourceTimeoutMs: 20_000,
  putTimeoutMs: 4_000,
  leaseMs: 60_000,
};

export interface TestClock extends Clock {
  advance(ms: number): void;
  readonly slept: readonly number[];
}

export function testClock(startMs = START_MS): TestClock {
  let nowMs = startMs;
  const slept: number[] = [];
  return {
    nowMs: () => nowMs,
    advance: (ms) => void (nowMs += ms),
    slept,
    async sleep(ms) {
      slept.push(ms);
      nowMs += ms;
    },
  };
}

export interface TestWorld extends PollWorld {
  readonly clock: TestClock;
  readonly writer: MemoryStream;
  readonly events: readonly TelemetryEvent[];
  readonly quarantined: readonly SetAside[];
  readonly asked: readonly Readonly<Record<string, string>>[];
}

/** @param answers one per request; the last is repeated. */
export function testWorld(
  answers: readonly PageAnswer[],
  parts: Partial<PollWorld> & { clock?: TestClock; writer?: MemoryStream } = {},
): TestWorld {
  const events: TelemetryEvent[] = [];
  const quarantined: SetAside[] = [];
  const asked: Readonly<Record<string, string>>[] = [];
  return {
    source: {
      async fetchPage({ query }) {
        asked.push(query);
        return answers[Math.min(asked.length, answers.length) - 1]!;
      },
    },
    states: memoryPollStateStore(),
    quarantine: { put: async (refused) => void quarantined.push(refused) },
    chance: () => 0.5,
    digest: contentDigest,
    report: (event) => void events.push(event),
    remainingMs: () => 50_000,
    ...parts,
    clock: parts.clock ?? testClock(),
    writer: parts.writer ?? memoryStreamWriter(),
    events,
    quarantined,
    asked,
  };
}

export function page(items: readonly JsonValue[], next: string | null = null): PageAnswer {
  return { kind: 'page', body: { items, next }, startedAtMs: START_MS };
}

export function row(order_id: string, updated_at: string, more: Record<string, JsonValue> = {}) {
  return { order_id, updated_at, ...more };
}

export function published({ writer }: { writer: MemoryStream }): StreamEvent[] {
  return writer.written.map(
    ({ data }) => JSON.parse(new TextDecoder().decode(data)) as StreamEvent,
  );
}

export async function savedCursor(world: TestWorld) {
  world.clock.advance(10 * 60_000);
  const nowMs = world.clock.nowMs();
  const taken = await world.states.acquire({ pipeline: 'orders', nowMs, leaseMs: 1 });
  if (taken.kind !== 'acquired') throw new Error(`not to be had: ${taken.kind}`);
  return taken.state;
}
