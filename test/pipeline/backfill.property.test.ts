/** A source that changes while its history is read and its present polled, all of it in memory. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memoryBackfillStore } from '#adapters/memory/backfill-store';
import { compareVersions } from '#core/record/fold';
import type { StreamEvent } from '#core/record/stream-event';
import { encodeCursor } from '#core/source/cursor-text';
import { FRESH_CURSOR } from '#core/source/cursor';
import { planSlices } from '#core/source/plan-slices';
import { timestampOfMs } from '#core/record/timestamp';
import { backfill } from '#pipeline/backfill';
import { poll } from '#pipeline/poll';
import type { BackfillPlace } from '#ports/backfill-store';
import type { PageRequest } from '#ports/page-source';
import {
  HORIZON_MS,
  incremental,
  options,
  published,
  START_MS,
  testClock,
  testWorld,
} from './poll-world.ts';
import { wholeBackfill } from './whole-backfill.ts';

const HOUR_MS = 3_600_000;
const HISTORY_MS = 6 * HOUR_MS;
const KEYS = 7;

const bounded = { ...incremental, until: { param: 'updated_before' } };
const live = {
  ...options,
  source: { ...options.source, incremental: bounded },
  rules: { ...options.rules, deleted: ['gone'] },
};

interface Row {
  readonly order_id: string;
  readonly updated_at: string;
  readonly change: number;
  readonly gone: boolean;
}

/** Rows of the present, each with the time of its last change; its clock ticks in minutes. */
function changingSource() {
  const clock = testClock();
  const rows = new Map<string, Row>();
  let changes = 0;
  const place = ({ updated_at, order_id }: Row) => `${updated_at} ${order_id}`;
  return {
    clock,
    rows,
    change(key: number, gone: boolean, atMs = clock.nowMs()) {
      const updated_at = new Date(atMs - (atMs % 60_000)).toISOString();
      const order_id = `order-${key % KEYS}`;
      rows.set(order_id, { order_id, updated_at, change: ++changes, gone });
    },
    async fetchPage({ query }: Pick<PageRequest, 'query'>) {
      const { updated_since: since = '', updated_before: before = '9', cursor = '' } = query;
      const found = [...rows.values()]
        .filter((row) => Date.parse(row.updated_at) >= (Date.parse(since) || 0))
        .filter((row) => before === '9' || Date.parse(row.updated_at) < Date.parse(before))
        .filter((row) => place(row) > cursor)
        .toSorted((one, other) => (place(one) < place(other) ? -1 : 1));
      const items = found.slice(0, 2).map((row) => ({ ...row }));
      const next = found.length > 2 ? place(found[1]!) : null;
      return { kind: 'page' as const, body: { items, next }, startedAtMs: clock.nowMs() };
    },
  };
}

/** Each happens while a page of the history is on its way into the stream. */
const step = fc.record({
  key: fc.nat(KEYS - 1),
  gone: fc.boolean(),
  changes: fc.nat(2),
  passMs: fc.nat(150_000),
  polls: fc.boolean(),
  /** The run that publishes the page dies before it saves. */
  dies: fc.boolean(),
});

const history = fc.array(
  fc.record({
    key: fc.nat(KEYS - 1),
    gone: fc.boolean(),
    beforeMs: fc.integer({ min: 1, max: HISTORY_MS }),
  }),
  { maxLength: 12 },
);

test('whatever changes meanwhile, in whatever order all is written, the table ends as the source', async () => {
  await fc.assert(
    fc.asyncProperty(
      history,
      fc.array(step, { maxLength: 12 }),
      fc.nat(),
      async (old, steps, seed) => {
        const source = changingSource();
        const { clock } = source;
        for (const { key, gone, beforeMs } of old.toSorted((a, b) => b.beforeMs - a.beforeMs)) {
          source.change(key, gone, START_MS - beforeMs);
        }
        const world = testWorld([], { clock, source });
        // Live polls begin here; what lies before is history.
        const taken = await world.states.acquire({ pipeline: 'orders', nowMs: 0, leaseMs: 1 });
        if (taken.kind !== 'acquired') throw new Error('a new pipeline is free');
        const cursor = encodeCursor({ ...FRESH_CURSOR, boundary: timestampOfMs(START_MS) });
        await world.states.save(taken.lease, { cursor, notBeforeMs: 0 }, 0);

        clock.advance(HORIZON_MS);
        const store = memoryBackfillStore();
        const slices = planSlices({
          fromMs: START_MS - HISTORY_MS,
          toMs: START_MS,
          sliceMs: HOUR_MS,
        });
        const left = [...steps];
        for (let epoch = 1; ; epoch++) {
          const run = {
            ask: '',
            plan: '',
            startedAtMs: 7,
            finishedAtMs: null,
            epoch,
            owner: '',
            leaseUntilMs: 0,
          };
          await store.save('orders', run, epoch === 1 ? undefined : epoch - 1);
          let dies = false;
          const end = await backfill(
            {
              poll: live,
              incremental: bounded,
              slices,
              place: (await store.read('orders'))?.places,
              epoch,
              signal: new AbortController().signal,
            },
            {
              ...world,
              source: {
                async fetchPage(request) {
                  const answer = await source.fetchPage(request);
                  const now = left.shift();
                  clock.advance(now?.passMs ?? 0);
                  for (let at = 0; at < (now?.changes ?? 0); at++) {
                    source.change((now?.key ?? 0) + at, now?.gone ?? false);
                  }
                  if (now?.polls) await poll(live, world);
                  dies = now?.dies ?? false;
                  return answer;
                },
              },
              async move(place) {
                if (dies) throw new Error('killed');
                return store.move('orders', run, place);
              },
              liveNotBeforeMs: async () => 0,
              onSlice: () => undefined,
              onWait: () => undefined,
            },
          );
          if (end.kind === 'done') break;
          expect(end).toEqual({ kind: 'failed', detail: 'killed' });
        }
        clock.advance(HOUR_MS);
        expect((await poll(live, world)).kind).toBe('caught-up');

        expect(tableOf(shuffled(published(world), seed))).toEqual(
          new Map([...source.rows].map(([key, { change, gone }]) => [key, gone ? 'gone' : change])),
        );
      },
    ),
    { numRuns: 60 },
  );
});

test('an interruption ends it after the page under way, and it goes on behind that', async () => {
  const source = changingSource();
  for (let key = 0; key < KEYS; key++) source.change(key, false, START_MS - HOUR_MS + key * 60_000);
  source.clock.advance(HORIZON_MS);
  const world = testWorld([], { clock: source.clock, source });
  const interrupt = new AbortController();
  const stopping = {
    async fetchPage(request: PageRequest) {
      interrupt.abort();
      return source.fetchPage(request);
    },
  };
  let place: BackfillPlace | undefined;
  const run = (signal: AbortSignal, from: typeof stopping) =>
    backfill(
      {
        poll: live,
        incremental: bounded,
        slices: [{ fromMs: START_MS - HOUR_MS, toMs: START_MS }],
        place,
        epoch: 1,
        signal,
      },
      {
        ...world,
        source: from,
        async move(next) {
          place = next;
          return true;
        },
        liveNotBeforeMs: async () => 0,
        onSlice: () => undefined,
        onWait: () => undefined,
      },
    );
  expect(await run(interrupt.signal, stopping)).toEqual({ kind: 'interrupted' });
  const subjects = () => published(world).map(({ subject }) => subject);
  expect(subjects()).toEqual(['order-0', 'order-1']);
  expect(await run(new AbortController().signal, source)).toEqual({ kind: 'done' });
  expect(subjects()).toEqual(Array.from({ length: KEYS }, (_, key) => `order-${key}`));
});

test('of one version what a live poll published stands, though the source shows something else now', async () => {
  const source = changingSource();
  source.change(1, false, START_MS - HOUR_MS);
  source.clock.advance(HORIZON_MS);
  const world = testWorld([], { clock: source.clock, source });
  await poll(live, world);
  const [row] = source.rows.values();
  // Nothing tells of this change: its version is what it was.
  source.rows.set(row!.order_id, { ...row!, change: 99 });
  const slices = planSlices({
    fromMs: START_MS - HISTORY_MS,
    toMs: START_MS,
    sliceMs: HOUR_MS,
  });
  const ask = { poll: live, incremental: bounded, slices, epoch: 50 };
  const end = await wholeBackfill(world, ask);
  expect(end).toEqual({ kind: 'done' });
  const events = published(world);
  expect(events.map(({ data }) => data['change'])).toEqual([1, 99]);
  expect(tableOf(events)).toEqual(tableOf(events.toReversed()));
  expect(tableOf(events)).toEqual(new Map([['order-1', 1]]));
});

/** What a table holds after all of them: the fence alone decides, not the order. */
function tableOf(events: readonly StreamEvent[]): Map<string, unknown> {
  const newest = new Map<string, StreamEvent>();
  for (const event of events) {
    const standing = newest.get(event.subject);
    if (standing === undefined || compareVersions(standing, event) < 0)
      newest.set(event.subject, event);
  }
  return new Map(
    [...newest].map(([key, { type, data }]) => [
      key,
      type.endsWith('.delete') ? 'gone' : data['change'],
    ]),
  );
}

function shuffled<T>(list: readonly T[], seed: number): readonly T[] {
  const weight = (at: number) => Math.imul(at + 1, (seed * 2 + 1) | 0) >>> 7;
  return list
    .map((one, at) => ({ one, at }))
    .toSorted((a, b) => weight(a.at) - weight(b.at))
    .map(({ one }) => one);
}
