/** A source that is paged by offset, and whose rows move between two pages. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { memoryPollStateStore } from '#adapters/memory/poll-state-store';
import { memoryStreamWriter } from '#adapters/memory/stream-writer';
import { decodeCursor } from '#core/source/cursor-text';
import { poll } from '#pipeline/poll';
import type { PageSource } from '#ports/page-source';
import {
  incremental,
  options,
  page,
  published,
  savedCursor,
  testClock,
  testWorld,
} from './poll-world.ts';
import type { TestClock, TestWorld } from './poll-world.ts';

interface Row {
  readonly order_id: string;
  readonly updatedMs: number;
  readonly version: number;
}

const HOUR_MS = 3_600_000;

const byOffset = (overlap: number, limit: number) => ({
  ...options,
  source: {
    ...options.source,
    pagination: { kind: 'offset' as const, param: 'skip', first: 0, overlap },
    pageSize: { param: 'limit', value: limit },
    incremental,
  },
});

const change = fc.record({
  what: fc.constantFrom('update', 'update', 'delete', 'insert'),
  /** Of the rows there are, from the oldest on: most changes come before where the poller reads. */
  at: fc.oneof(fc.constant(0), fc.nat(20)),
});

type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

/** Rows in the order of their changes, old at first; before each page some of them change. */
function movingSource(clock: TestClock, count: number, steps: Change[][]) {
  let rows: Row[] = Array.from({ length: count }, (_, at) => ({
    order_id: `k${at}`,
    updatedMs: clock.nowMs() - (count - at + 1) * HOUR_MS,
    version: 0,
  }));
  let changes = 0;

  function apply({ what, at }: Change) {
    clock.advance(1_000);
    changes++;
    const row = rows[at % Math.max(1, rows.length)];
    if (what !== 'insert' && row !== undefined) rows = rows.filter((other) => other !== row);
    if (what === 'delete') return;
    const order_id = what === 'update' && row !== undefined ? row.order_id : `new${changes}`;
    rows.push({ order_id, updatedMs: clock.nowMs(), version: changes });
  }

  const source: PageSource = {
    async fetchPage({ query }) {
      steps.shift()?.forEach(apply);
      const from = Number(query['skip']);
      const sinceMs = Date.parse(query['updated_since'] ?? '1970-01-01T00:00:00Z');
      const items = rows
        .filter(({ updatedMs }) => updatedMs >= sinceMs)
        .slice(from, from + Number(query['limit']))
        .map(({ order_id, updatedMs, version }) => ({
          order_id,
          updated_at: new Date(updatedMs).toISOString(),
          version,
        }));
      return { ...page(items), startedAtMs: clock.nowMs() } as Awaited<
        ReturnType<PageSource['fetchPage']>
      >;
    },
  };
  return { source, rows: () => rows, pending: () => steps.length };
}

/** The latest version that was published of each key. */
function newest(world: Pick<TestWorld, 'writer'>): ReadonlyMap<string, unknown> {
  const found = new Map<string, { version: string; data: unknown }>();
  for (const { subject, version, data } of published(world)) {
    const known = found.get(subject);
    if (!known || version >= known.version) found.set(subject, { version, data: data['version'] });
  }
  return new Map([...found].map(([key, { data }]) => [key, data]));
}

test('with an overlap no row is passed over for good, however many move, and whenever the poller dies', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(20),
      fc.integer({ min: 1, max: 3 }),
      fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 25 }),
      fc.integer({ min: 2, max: 9 }),
      async (count, overlap, steps, livesFor) => {
        const clock = testClock();
        const feed = movingSource(clock, count, structuredClone(steps));
        const writer = memoryStreamWriter();
        const world = testWorld([], {
          clock,
          writer,
          source: feed.source,
          states: memoryPollStateStore(),
        });
        const told = byOffset(overlap, 4);
        let asked = 0;
        const mortal: PageSource = {
          async fetchPage(request) {
            if (++asked % livesFor === 0) throw new Error('dead');
            return feed.source.fetchPage(request);
          },
        };
        while (feed.pending() > 0) {
          await poll(told, { ...world, source: mortal });
          clock.advance(70_000);
        }
        // A run that was left in the middle ends, and another finds what changed meanwhile.
        for (const _ of ['left', 'new']) {
          clock.advance(HOUR_MS);
          expect((await poll(told, world)).kind).toBe('caught-up');
        }
        const got = newest(world);
        for (const { order_id, version } of feed.rows()) expect(got.get(order_id)).toBe(version);
      },
    ),
    { numRuns: 100 },
  );
});

describe('of three rows, the first of which changes between two pages', () => {
  const first = (): Change[][] => [[], [{ what: 'update', at: 0 }]];

  test('POLL-15: the one that moved into its place is read all the same', async () => {
    const clock = testClock();
    const feed = movingSource(clock, 3, first());
    const world = testWorld([], { clock, source: feed.source });
    expect((await poll(byOffset(1, 2), world)).kind).toBe('caught-up');
    expect([...newest(world)].toSorted()).toEqual([
      ['k0', 1],
      ['k1', 0],
      ['k2', 0],
    ]);
  });

  test('none is lost where all move on and on: the boundary stays, and that is said', async () => {
    const clock = testClock();
    const moving = Array.from({ length: 40 }, (_, at): Change[] =>
      at === 0 ? [] : [0, 1, 2].map(() => ({ what: 'update', at: 0 })),
    );
    const feed = movingSource(clock, 9, moving);
    const world = testWorld([], { clock, source: feed.source });
    expect(await poll(byOffset(1, 3), world)).toMatchObject({
      kind: 'failed',
      detail: expect.stringMatching(
        /^more records moved between two pages than source\.pagination\.overlap/,
      ),
    });
    expect(world.events.filter(({ event }) => event === 'RunRestarted')).toHaveLength(2);
    expect(decodeCursor((await savedCursor(world)).cursor)).toMatchObject({
      boundary: null,
      run: null,
    });
  });
});

test('a run over rows that stand still asks once more for the last row, and once behind it', async () => {
  const clock = testClock();
  const feed = movingSource(clock, 8, []);
  const world = testWorld([], { clock, source: feed.source });
  const asked: unknown[] = [];
  const source: PageSource = {
    async fetchPage(request) {
      asked.push(request.query['skip']);
      return feed.source.fetchPage(request);
    },
  };
  expect(await poll(byOffset(1, 4), { ...world, source })).toMatchObject({ published: 8 });
  expect(asked).toEqual(['0', '3', '6', '7', '8']);
});
