/** A source that changes while it is polled, and a poller that dies between any two awaits. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memoryPollStateStore } from '#adapters/memory/poll-state-store';
import { memoryStreamWriter } from '#adapters/memory/stream-writer';
import { poll } from '#pipeline/poll';
import type { PollWorld } from '#pipeline/poll-options';
import type { PageSource } from '#ports/page-source';
import { HORIZON_MS, incremental, options, published, testClock, testWorld } from './poll-world.ts';
import type { TestClock } from './poll-world.ts';
import { steadyStates } from './steady-states.ts';

const PAGE_ROWS = 3;
/** The source's clock is not ours. */
const SKEW_MS = -37_000;

interface SourceRow {
  readonly order_id: string;
  readonly updatedMs: number;
  readonly visibleMs: number;
  readonly change: number;
}

const change = fc.record({
  kind: fc.constantFrom('update', 'update', 'update', 'late', 'future'),
  key: fc.nat(6),
  /** Most changes share a second with the one before. */
  afterMs: fc.constantFrom(0, 0, 0, 400, 1_000, 15_000, 120_000),
  lateMs: fc.integer({ min: 1, max: HORIZON_MS - 2_000 }),
});

type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

/** A feed with a keyset token, a clock that ticks in seconds, and a change before every answer. */
function changingSource(clock: TestClock, changes: Change[], { sorted }: { sorted: boolean }) {
  const rows = new Map<string, SourceRow>();
  let count = 0;
  const nowMs = () => clock.nowMs() + SKEW_MS;
  const tickMs = (ms: number) => Math.floor(ms / 1_000) * 1_000;

  function applyNext() {
    const next = changes.shift();
    if (!next) return;
    clock.advance(next.afterMs);
    count++;
    const at = nowMs();
    const put = (order_id: string, updatedMs: number, visibleMs: number) =>
      rows.set(order_id, { order_id, updatedMs, visibleMs, change: count });
    // Only a key that is new may come late or from the future: no version goes back.
    if (next.kind === 'late') put(`late-${count}`, tickMs(at), at + next.lateMs);
    else if (next.kind === 'future') put(`future-${count}`, tickMs(at + 86_400_000), at);
    else put(`key-${next.key}`, tickMs(at), at);
  }

  const order = (a: SourceRow, b: SourceRow) =>
    sorted
      ? a.updatedMs - b.updatedMs || a.order_id.localeCompare(b.order_id)
      : a.order_id.localeCompare(b.order_id);

  const source: PageSource = {
    async fetchPage({ query }) {
      applyNext();
      const startedAtMs = nowMs();
      const sinceMs = query['updated_since'] ? Date.parse(query['updated_since']) : 0;
      const after = query['cursor'] ? (JSON.parse(query['cursor']) as SourceRow) : undefined;
      const found = [...rows.values()]
        .filter((r) => r.updatedMs >= sinceMs && r.visibleMs <= startedAtMs)
        .toSorted(order)
        .filter((r) => after === undefined || order(r, after) > 0);
      const shown = found.slice(0, PAGE_ROWS);
      const next = found.length > PAGE_ROWS ? JSON.stringify(shown.at(-1)) : null;
      const items = shown.map(({ order_id, updatedMs, change: n }) => ({
        order_id,
        updated_at: new Date(updatedMs).toISOString(),
        change: n,
      }));
      return { kind: 'page', body: { items, next }, startedAtMs };
    },
  };
  return { source, rows, pending: () => changes.length, nowMs };
}

/** Every port call counts as one await; from the fatal one on, nothing answers: the process is dead. */
function mortal<World extends Pick<PollWorld, 'source' | 'states' | 'writer'>>(
  world: World,
  diesAt: number,
): World {
  let calls = 0;
  const live = async <T>(after: boolean, call: () => Promise<T>): Promise<T> => {
    if (++calls > diesAt) throw new Error('dead');
    // The call was made, and the process died before it heard the answer.
    if (calls === diesAt && after) await call();
    if (calls === diesAt) throw new Error('dead');
    return call();
  };
  const after = diesAt % 2 === 0;
  const { source, states, writer } = world;
  return {
    ...world,
    source: { fetchPage: (request) => live(after, () => source.fetchPage(request)) },
    writer: { ...writer, put: (records) => live(after, () => writer.put(records)) },
    states: {
      acquire: (ask) => live(after, () => states.acquire(ask)),
      save: (...args) => live(after, () => states.save(...args)),
      release: (...args) => live(after, () => states.release(...args)),
    },
  };
}

for (const sorted of [true, false]) {
  test(`every key's final state is published, whatever changes or crashes (${sorted ? 'ordered' : 'unordered'} source)`, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { minLength: 1, maxLength: 40 }),
        fc.array(fc.integer({ min: 1, max: 25 }), { maxLength: 8 }),
        async (changes, deaths) => {
          const clock = testClock();
          const feed = changingSource(clock, [...changes], { sorted });
          const writer = memoryStreamWriter();
          const states = steadyStates(memoryPollStateStore(), () => feed.nowMs() - HORIZON_MS);
          const world = testWorld([], { clock, writer, states, source: feed.source });
          const told = {
            ...options,
            source: { ...options.source, incremental: { ...incremental, ordered: sorted } },
          };
          const tick = async (diesAt: number) => {
            await poll(told, mortal(world, diesAt));
            clock.advance(70_000);
          };
          for (const diesAt of deaths) await tick(diesAt);
          while (feed.pending() > 0) await tick(Infinity);
          // What is late becomes visible within the horizon, and is then read.
          for (let run = 0; run < 4; run++) await tick(Infinity);

          const table = new Map<string, { version: string; observed: string; change: unknown }>();
          for (const { subject, version, observed, data } of published(world)) {
            const stored = table.get(subject);
            const newer =
              !stored ||
              version > stored.version ||
              (version === stored.version && observed > stored.observed);
            if (newer) table.set(subject, { version, observed, change: data['change'] });
          }
          const got = [...table].map(([key, stored]) => [key, stored.change]);
          const wanted = [...feed.rows.values()].map((r) => [r.order_id, r.change]);
          expect(got.toSorted()).toEqual(wanted.toSorted());
        },
      ),
      { numRuns: 300 },
    );
  });
}

test('a quiet source is not published again and again', async () => {
  const clock = testClock();
  const changes: Change[] = Array.from({ length: 10 }, (_, key) => ({
    kind: 'update',
    key: key % 7,
    afterMs: 0,
    lateMs: 1,
  }));
  const feed = changingSource(clock, changes, { sorted: true });
  const world = testWorld([], { clock, source: feed.source });
  while (feed.pending() > 0) await poll(options, world);
  await poll(options, world);
  const before = world.writer.written.length;
  for (let run = 0; run < 5; run++) {
    clock.advance(20_000);
    expect(await poll(options, world)).toMatchObject({ kind: 'caught-up', published: 0 });
  }
  expect(world.writer.written).toHaveLength(before);
});
