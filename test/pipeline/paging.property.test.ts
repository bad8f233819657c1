/** However a source pages: rows that stand still are read once, by a poller that may die. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { memoryPollStateStore } from '#adapters/memory/poll-state-store';
import { decodeCursor } from '#core/source/cursor-text';
import { poll } from '#pipeline/poll';
import type { PollWorld } from '#pipeline/poll-options';
import { KEY, pagingServer, WAYS } from './paging-server.ts';
import { incremental, options, published, savedCursor, testWorld } from './poll-world.ts';

const DATES = ['2031-06-12T14:00:00Z', '2031-06-12T14:00:00Z', '2031-06-12T15:00:00Z'];

const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    order_id: `k${String(at).padStart(3, '0')}`,
    updated_at: DATES[at % DATES.length]!,
  }));

/** Most pages are shorter than the five rows that are asked for, and some hold none. */
const sizes = fc
  .array(fc.constantFrom(0, 1, 1, 2, 3, 5), { minLength: 1, maxLength: 6 })
  .filter((made) => made.some((size) => size > 0));

const death = fc.record({
  at: fc.constantFrom('fetch', 'before-save', 'after-save'),
  page: fc.nat(8),
});

type Death = typeof death extends fc.Arbitrary<infer T> ? T : never;

/** Dies at its n-th page: as it is asked for, or before or after its place is saved. */
function mortal<World extends PollWorld>(world: World, { at, page }: Death): World {
  let asked = 0;
  let saved = 0;
  return {
    ...world,
    source: {
      async fetchPage(request) {
        if (at === 'fetch' && asked++ === page) throw new Error('dead');
        return world.source.fetchPage(request);
      },
    },
    states: {
      ...world.states,
      async save(...args) {
        const dies = saved++ === page;
        if (dies && at === 'before-save') throw new Error('dead');
        const lease = await world.states.save(...args);
        if (dies && at === 'after-save') throw new Error('dead');
        return lease;
      },
    },
  };
}

describe.each(Object.entries(WAYS))('a source with %s', (_way, [pagination, server]) => {
  const told = {
    ...options,
    source: {
      fixed: { key: KEY },
      pagination,
      pageSize: { param: 'limit', value: 5 },
      incremental: { ...incremental, ordered: false },
    },
  };

  test('is read to its end, each row once, and from where it was left when the poller dies', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(14), sizes, fc.option(death), async (count, cuts, dies) => {
        const rows = rowsOf(count);
        const ids = rows.map(({ order_id }) => order_id);
        const source = pagingServer(server, rows, cuts);
        const world = testWorld([], { source, states: memoryPollStateStore() });
        const read = () => published(world).map(({ subject }) => subject);

        const first = await poll(told, dies === null ? world : mortal(world, dies));
        const { cursor } = await savedCursor(world);
        expect(cursor ?? '').not.toContain(KEY);
        const readBefore = read();
        if (first.kind !== 'caught-up') {
          world.clock.advance(60_000);
          const rest = await poll(told, world);
          expect(rest.kind).toBe('caught-up');
          const { run, boundary } = decodeCursor(cursor);
          // Unless the first had come to the end: then this was another run, from the boundary.
          if (run !== null || boundary === null) expect(rest.skipped).toBe(0);
        }

        // What was published but not saved is published again, and nothing else is.
        const again = read()
          .slice(readBefore.length)
          .filter((id) => readBefore.includes(id));
        if (dies?.at !== 'before-save') expect(again).toEqual([]);
        expect(again.length).toBeLessThanOrEqual(Math.max(...cuts));
        expect([...new Set(read())].toSorted()).toEqual(ids);
        expect(read()).toHaveLength(ids.length + again.length);

        // Another run, from the boundary: what it reads is known.
        world.clock.advance(60_000);
        expect(await poll(told, world)).toMatchObject({ kind: 'caught-up', published: 0 });
      }),
      { numRuns: 40 },
    );
  });
});
