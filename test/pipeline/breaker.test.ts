import { expect, test } from 'vitest';
import { memoryBreakerStore } from '#adapters/memory/breaker-store';
import type { ConsumeOptions } from '#pipeline/consume-options';
import { ARRIVAL_MS, consumeWorld, eventOf, recordOf, transient } from './consume-world.ts';

const NOW_MS = ARRIVAL_MS + 5_000;
const OF = { pipeline: 'orders', consumer: 'orders' };
const good = (at: number) => recordOf(at, eventOf({ key: `k${at}`, version: at }));
const bad = (at: number) => recordOf(at, 'no event');
/** Six of ten are refused. */
const badBatch = (from = 0) =>
  Array.from({ length: 10 }, (_, at) => (at % 5 < 2 ? good : bad)(from + at));

function worldOf(options: Partial<ConsumeOptions> = {}, marks = memoryBreakerStore()) {
  const breaker = { percent: 60, recordsMin: 10 };
  return { ...consumeWorld({ marks }, { breaker, ...options }), marks };
}

test('where most records would be refused none is: they wait, and the others are stored', async () => {
  const world = worldOf();
  expect(await world.consume(badBatch())).toEqual({ resumeAt: '2' });
  expect(world.quarantine.kept()).toEqual([]);
  expect([...world.table.standing.keys()]).toEqual(['k0', 'k1', 'k5', 'k6']);
  expect(world.summaries()).toMatchObject([{ written: 4, refused: 0, returned: 6, held: true }]);
  const trip = { reason: 'not-json', refused: 6, received: 10 };
  expect(world.events).toContainEqual({ event: 'BreakerOpened', ...OF, ...trip });
  expect(await world.marks.read(OF)).toEqual({
    open: { ...trip, sinceMs: NOW_MS, code: 'first' },
    letUntilMs: 0,
  });
});

test('a few refused among many are set aside as ever', async () => {
  const world = worldOf();
  const batch = Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? good : bad)(at));
  expect(await world.consume(batch)).toEqual({});
  expect(world.quarantine.kept()).toHaveLength(20);
  expect(world.summaries()).toMatchObject([{ refused: 20, held: false }]);
});

test('what is refused only by the table counts as well', async () => {
  const refusal = { kind: 'refused', reason: 'item-too-large', detail: '401 KB' } as const;
  const world = worldOf({ concurrency: 1 });
  const table = { upsert: async () => refusal };
  const full = consumeWorld(
    { table, marks: world.marks },
    { concurrency: 1, breaker: { percent: 60, recordsMin: 10 } },
  );
  await full.consume(Array.from({ length: 20 }, (_, at) => good(at)));
  expect(full.summaries()).toMatchObject([{ refused: 11, returned: 9, held: true }]);
});

test('an open breaker holds every process of the consumer', async () => {
  const first = worldOf();
  await first.consume(badBatch());
  const second = worldOf({}, first.marks);
  expect(await second.consume([good(20), bad(21), good(22)])).toEqual({ resumeAt: '21' });
  expect(second.quarantine.kept()).toEqual([]);
});

test('other code takes the mark away, though it refuses nothing, and goes on', async () => {
  const broken = worldOf();
  await broken.consume(badBatch());
  const fixed = worldOf({ code: 'second' }, broken.marks);
  expect(await fixed.consume([good(20)])).toEqual({});
  expect(await fixed.marks.read(OF)).toEqual({ open: undefined, letUntilMs: 0 });
  expect(fixed.events).toContainEqual({ event: 'BreakerClosed', ...OF, openMs: 0 });
  expect(await fixed.consume([bad(21)])).toEqual({});
  expect(fixed.quarantine.kept()).toHaveLength(1);
});

test('other code that is as bad opens it anew, in its own name', async () => {
  const broken = worldOf();
  await broken.consume(badBatch());
  const worse = worldOf({ code: 'second' }, broken.marks);
  expect(await worse.consume(badBatch())).toEqual({ resumeAt: '2' });
  expect((await worse.marks.read(OF)).open).toMatchObject({ code: 'second' });
});

test('closed by hand, it goes on until as large a share is refused again', async () => {
  const world = worldOf();
  await world.consume(badBatch());
  await world.marks.close(OF, { letUntilMs: 0 });
  expect(await world.consume(badBatch())).toEqual({ resumeAt: '2' });
});

test('let pass, everything refused is set aside, however much', async () => {
  const world = worldOf();
  await world.consume(badBatch());
  await world.marks.close(OF, { letUntilMs: NOW_MS + 1 });
  expect(await world.consume(badBatch())).toEqual({});
  expect(world.quarantine.kept()).toHaveLength(6);
});

test('a mark that cannot be read holds what is refused, and nothing is lost', async () => {
  const marks = { ...memoryBreakerStore(), read: () => Promise.reject(transient()) };
  const world = worldOf({}, marks);
  expect(await world.consume([good(1), bad(2), good(3)])).toEqual({ resumeAt: '2' });
  expect(world.summaries()).toMatchObject([{ written: 2, returned: 1, held: false }]);
  expect(world.events).toContainEqual(
    expect.objectContaining({ event: 'WriteFailed', into: 'quarantine' }),
  );
});

test('a consumer that refuses nothing reads the mark once', async () => {
  const marks = memoryBreakerStore();
  let reads = 0;
  const counted = { ...marks, read: (of: typeof OF) => (reads++, marks.read(of)) };
  const world = worldOf({}, counted);
  for (let at = 0; at < 9; at++) await world.consume([good(at)]);
  expect(reads).toBe(1);
});
