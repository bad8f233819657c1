/** Records in one feed, their deletes in another, and a poller that dies between any two calls of its ports. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memoryFeedStates } from '#adapters/memory/feed-states';
import { memoryPollStateStore } from '#adapters/memory/poll-state-store';
import { memoryStreamWriter } from '#adapters/memory/stream-writer';
import { poll } from '#pipeline/poll';
import type { PollOptions } from '#pipeline/poll-options';
import type { PageSource } from '#ports/page-source';
import { incremental, options, page, published, testClock, testWorld } from './poll-world.ts';
import type { TestClock, TestWorld } from './poll-world.ts';
import { mortal, tableOf } from './snapshot-world.ts';

const PAGE_ROWS = 2;

const change = fc.record({
  key: fc.oneof(fc.constant(0), fc.nat(4)),
  what: fc.constantFrom('put', 'delete'),
  /** Less than the horizon passes between two requests. */
  afterMs: fc.constantFrom(1, 400, 1_000, 15_000),
  /** A delete is seen in its feed so much later. */
  lateMs: fc.constantFrom(0, 0, 1_000, 30_000),
});

type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

const history = fc.record({
  /** The pages of a run are those of a list that was made at its first request. */
  isFrozen: fc.boolean(),
  steps: fc.array(fc.array(change, { maxLength: 2 }), { maxLength: 30 }),
  deaths: fc.array(
    fc.record({
      at: fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 16 })),
      isLate: fc.boolean(),
      /** Pages that the poll has time for. */
      pages: fc.constantFrom(1, 2, Infinity),
    }),
    { maxLength: 12 },
  ),
});

const told = (hasVersion: boolean): PollOptions => {
  const source = { ...options.source, incremental: { ...incremental, ordered: false } };
  return {
    ...options,
    source,
    deletes: {
      source: { ...source, incremental: { ...source.incremental, path: ['deleted_at'] } },
      records: options.records,
      rules: {
        ...options.rules,
        key: [['id']],
        partitionBy: [['id']],
        version: hasVersion ? { path: ['deleted_at'], format: 'iso' } : 'observed',
        eventTime: 'observed',
        deleted: ['id'],
      },
    },
  };
};

function shop(clock: TestClock, steps: Change[][], isFrozen: boolean) {
  const rows = new Map<string, { updatedMs: number; content: string; place: number }>();
  const log: { id: string; atMs: number; visibleMs: number }[] = [];
  let count = 0;
  let places = 0;

  function apply() {
    for (const { key, what, afterMs, lateMs } of steps.shift() ?? []) {
      clock.advance(afterMs);
      const [id, atMs] = [`k${key}`, clock.nowMs()];
      const place = rows.get(id)?.place ?? ++places;
      if (what === 'put') rows.set(id, { updatedMs: atMs, content: `c${++count}`, place });
      else if (rows.delete(id)) log.push({ id, atMs, visibleMs: atMs + lateMs });
    }
  }

  interface Entry {
    /** Rises from row to row. A row that goes leaves the others where they are. */
    readonly place: number;
    readonly atMs: number;
    readonly row: Record<string, string>;
  }
  const lists: (readonly Entry[])[] = [];

  function feed(all: () => readonly Entry[]): PageSource {
    return {
      async fetchPage({ query }) {
        apply();
        const sinceMs = Date.parse(query['updated_since'] ?? '1970-01-01T00:00:00Z');
        const [list = '', at = '0'] = (query['cursor'] ?? '').split(' ');
        const since = all().filter(({ atMs }) => atMs >= sinceMs);
        const found = (isFrozen && lists[Number(list) - 1]) || since;
        const left = found.filter(({ place }) => place > Number(at));
        const shown = left.slice(0, PAGE_ROWS);
        const number = isFrozen && list === '' ? lists.push(since) : list;
        const next = shown.length < left.length ? `${number} ${shown.at(-1)?.place}` : null;
        const items = shown.map(({ row }) => row);
        return { ...page(items, next), startedAtMs: clock.nowMs() } as Awaited<
          ReturnType<PageSource['fetchPage']>
        >;
      },
    };
  }

  const iso = (ms: number) => new Date(ms).toISOString();
  return {
    rows,
    records: feed(() =>
      [...rows].map(([order_id, { updatedMs, content, place }]) => ({
        place,
        atMs: updatedMs,
        row: { order_id, updated_at: iso(updatedMs), content },
      })),
    ),
    deletes: feed(() =>
      log
        .map(({ id, atMs, visibleMs }, at) => ({
          place: at + 1,
          atMs,
          visibleMs,
          row: { id, deleted_at: iso(atMs) },
        }))
        .filter(({ visibleMs }) => visibleMs <= clock.nowMs()),
    ),
  };
}

const pagesOf = ({ events }: TestWorld) =>
  events.filter(({ event }) => event === 'PagePublished').length;

test.each([true, false])(
  'at rest the table is the source, whatever was deleted, created again or died (with a version: %s)',
  async (hasVersion) => {
    await fc.assert(
      fc.asyncProperty(history, async ({ steps, deaths, isFrozen }) => {
        const clock = testClock();
        const changes = steps.map((some) => [...some]);
        const source = shop(clock, changes, isFrozen);
        const parts = {
          clock,
          states: memoryPollStateStore(),
          writer: memoryStreamWriter(),
          deletes: { source: source.deletes, states: memoryFeedStates() },
        };
        const world = testWorld([], { ...parts, source: source.records });
        const peace = Array.from({ length: steps.length + 3 }, () => ({
          at: Infinity,
          isLate: false,
          pages: Infinity,
        }));
        for (const { at, isLate, pages } of [...deaths, ...peace]) {
          // A lease that was not given back has run out.
          clock.advance(70_000);
          const before = pagesOf(world);
          const remainingMs = () => (pagesOf(world) - before < pages ? 50_000 : 4_000);
          await poll(told(hasVersion), mortal({ ...world, remainingMs }, at, isLate));
        }
        const expected = new Map([...source.rows].map(([id, { content }]) => [id, content]));
        expect(await tableOf(published(world))).toEqual(expected);
      }),
      { numRuns: 30 },
    );
  },
);
