/** A source that is read as a whole, and a poller that dies between any two calls of its ports. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { memoryLedgers } from '#adapters/memory/ledgers';
import { memoryPollStateStore } from '#adapters/memory/poll-state-store';
import { memoryStreamWriter } from '#adapters/memory/stream-writer';
import { decodeCursor } from '#core/source/cursor-text';
import { poll } from '#pipeline/poll';
import type { PollOptions } from '#pipeline/poll-options';
import { published, savedCursor, testClock, testWorld } from './poll-world.ts';
import {
  change,
  mortal,
  snapshotOptions,
  snapshotServer,
  tableOf,
  WAYS,
} from './snapshot-world.ts';
import type { Change, SnapshotServer } from './snapshot-world.ts';

const end = fc.record({
  /** The call of a port at which the process dies; most polls live. */
  diesAt: fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 30 })),
  isLate: fc.boolean(),
  /** Pages that the poll has time for. */
  pages: fc.constantFrom(1, 2, Infinity),
});

const history = fc.record({
  steps: fc.array(fc.array(change, { maxLength: 3 }), { maxLength: 30 }),
  ends: fc.array(end, { minLength: 1, maxLength: 12 }),
});

/** Polls to the end of each, and then in peace until nothing is left to do. */
async function live(
  told: PollOptions,
  {
    steps,
    ends,
  }: { steps: Change[][]; ends: readonly { diesAt: number; isLate: boolean; pages: number }[] },
  onDelete: (server: SnapshotServer, key: string, runFrom: number) => void = () => undefined,
) {
  const clock = testClock();
  const server = snapshotServer(
    clock,
    steps.map((some) => [...some]),
  );
  const parts = {
    clock,
    states: memoryPollStateStore(),
    writer: memoryStreamWriter(),
    ledgers: memoryLedgers(),
  };
  const peace = { diesAt: Infinity, isLate: false, pages: Infinity };
  let runFrom = 0;
  const last: string[] = [];
  for (const { diesAt, isLate, pages } of [...ends, ...Array.from({ length: 8 }, () => peace)]) {
    clock.advance(10 * 60_000);
    const before = server.answers();
    const remainingMs = () => (server.answers() - before < pages ? 50_000 : 4_000);
    const world = testWorld([], { ...parts, source: server.source, remainingMs });
    const from = published(world).length;
    const { run } = decodeCursor((await savedCursor(world)).cursor);
    if (run === null) runFrom = before;
    clock.advance(1);
    const result = await poll(told, mortal(world, diesAt, isLate));
    last.push(result.kind);
    for (const { type, subject } of published(world).slice(from)) {
      if (type === 'orders.delete') onDelete(server, subject, runFrom);
    }
  }
  const world = testWorld([], { ...parts, source: server.source });
  return { server, world, last: last.slice(-3) };
}

const NAMES = Object.keys(WAYS) as readonly (keyof typeof WAYS)[];

describe.each(NAMES)('paged by %s', (way) => {
  test('at rest the table is the source, whatever changed, vanished, came back or died', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (told) => {
        const { server, world, last } = await live(snapshotOptions(way), told);
        expect(last).toEqual(['caught-up', 'caught-up', 'caught-up']);
        expect(await tableOf(published(world))).toEqual(server.rows);
        // Where the source says that nothing has changed, nothing is tidied up either.
        if (way !== 'none') expect(await world.ledgers!.names()).toHaveLength(1);
      }),
      { numRuns: 25 },
    );
  });
});

// Pages by number promise no more than that it comes back.
test.each(NAMES.filter((way) => way !== 'page'))(
  'read by %s, no key is deleted that stood in the source all the while',
  async (way) => {
    await fc.assert(
      fc.asyncProperty(history, async (told) => {
        await live(snapshotOptions(way), told, (server, key, runFrom) => {
          expect(server.absentAt(key) ?? -1).toBeGreaterThanOrEqual(runFrom);
        });
      }),
      { numRuns: 15 },
    );
  },
);
