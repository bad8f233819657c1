import { describe, expect, test } from 'vitest';
import { memoryLedgers } from '#adapters/memory/ledgers';
import { decodeCursor, encodeCursor } from '#core/source/cursor-text';
import { poll } from '#pipeline/poll';
import type { PollOptions } from '#pipeline/poll-options';
import type { PageAnswer, PageRequest } from '#ports/page-source';
import { page, published, savedCursor, testClock, testWorld } from './poll-world.ts';
import type { TestWorld } from './poll-world.ts';
import { snapshotOptions, tableOf } from './snapshot-world.ts';

const rows = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, at) => ({
    order_id: `k${at}`,
    content: `c${at}`,
    lane: `lane ${at}`,
    ...more,
  }));

const whole = snapshotOptions('none');

function tagged(answer: PageAnswer, headers: Record<string, string>): PageAnswer {
  if (answer.kind !== 'page') return answer;
  const header = (name: string) => headers[name];
  return { ...answer, head: { header, place: () => ({ kind: 'unreadable', detail: '' }) } };
}

/** A world that is asked one poll after another, each with answers of its own. */
function lasting() {
  const asked: PageRequest[] = [];
  let answers: readonly PageAnswer[] = [];
  const clock = testClock();
  const world = testWorld([], {
    clock,
    ledgers: memoryLedgers(),
    source: {
      async fetchPage(request) {
        asked.push(request);
        const [answer = page([]), ...rest] = answers;
        answers = rest;
        return answer;
      },
    },
  });
  return {
    world,
    asked,
    async poll(told: PollOptions, some: readonly PageAnswer[], pagesMax = Infinity) {
      answers = some;
      clock.advance(10 * 60_000);
      const before = published(world).length;
      const pages = () => world.events.filter(({ event }) => event === 'PagePublished').length;
      const from = pages();
      const remainingMs = () => (pages() - from < pagesMax ? 50_000 : 4_000);
      const result = await poll(told, { ...world, remainingMs });
      return { result, events: published(world).slice(before) };
    },
  };
}

const typesOf = (events: ReturnType<typeof published>) =>
  events.map(({ type, subject }) => `${type.split('.')[1]} ${subject}`);

describe('a source that is read as a whole', () => {
  test('what changed is published, what is gone is deleted, and what stands is left alone', async () => {
    const { world, poll: once } = lasting();
    const first = await once(whole, [page(rows(3))]);
    expect(typesOf(first.events)).toEqual(['upsert k0', 'upsert k1', 'upsert k2']);
    const [k0, k1] = rows(2);
    const next = await once(whole, [page([{ ...k1!, content: 'new' }, k0!])]);
    expect(typesOf(next.events)).toEqual(['upsert k1', 'delete k2']);
    expect(next.result).toMatchObject({ kind: 'caught-up', published: 1, skipped: 1 });
    expect(world.events).toContainEqual({
      event: 'SnapshotSettled',
      pipeline: 'orders',
      keys: 2,
      removed: 1,
      waiting: 0,
    });
  });

  test('a delete goes to the shard of the record, and holds its key alone', async () => {
    const { world, poll: once } = lasting();
    await once(whole, [page(rows(2))]);
    const { events } = await once(whole, [page(rows(1))]);
    expect(events).toMatchObject([{ data: { order_id: 'k1' }, version: '', subject: 'k1' }]);
    expect(world.writer.written.at(-1)!.partitionKey).toBe('lane 1');
  });

  test('a record without a version of its own is newer than what was seen before, and dated by the source', async () => {
    const { poll: once } = lasting();
    await once(whole, [page(rows(1))]);
    const { events } = await once(whole, [page(rows(1, { content: 'b' }))]);
    const third = await once(whole, [page(rows(1))]);
    expect(events[0]!.version).toBe(events[0]!.observed);
    expect(third.events[0]!.version > events[0]!.version).toBe(true);
    expect(events[0]!.time).toBe('2031-06-12T16:00:00Z');
    expect(await tableOf([...third.events, ...events])).toEqual(new Map([['k0', 'c0']]));
  });

  test('a record that was refused is kept once, and not in every poll', async () => {
    const { world, poll: once } = lasting();
    await once(whole, [page([...rows(1), { content: 'no key' }])]);
    await once(whole, [page([...rows(1), { content: 'no key' }])]);
    expect(world.quarantined).toHaveLength(1);
  });

  test('after a reset all is published again, and what vanished meanwhile is deleted', async () => {
    const { world, poll: once } = lasting();
    await once(whole, [page(rows(2))]);
    await restate(world, ({ snapshot: { ledger } = {} }) => ({ ledger: ledger!, isStale: true }));
    const { events } = await once(whole, [page(rows(1))]);
    expect(typesOf(events)).toEqual(['upsert k0', 'delete k1']);
    expect(typesOf((await once(whole, [page(rows(1))])).events)).toEqual([]);
  });

  test('without its ledger it says what that means, and goes on after a reset', async () => {
    const { world, poll: once } = lasting();
    await once(whole, [page(rows(2))]);
    for (const name of await world.ledgers!.names()) await world.ledgers!.remove(name);
    expect((await once(whole, [page(rows(2))])).result).toMatchObject({
      kind: 'failed',
      detail: expect.stringContaining('`penstock cursor reset orders` goes on without it'),
    });
    await restate(world, ({ snapshot: { ledger } = {} }) => ({ ledger: ledger!, isStale: true }));
    expect(typesOf((await once(whole, [page(rows(1))])).events)).toEqual(['upsert k0']);
  });
});

describe('nothing is removed', () => {
  test('where more is gone than the file allows: both counts are told, once it is raised they go', async () => {
    const { poll: once } = lasting();
    const told = snapshotOptions('none', { shareMax: 0.3 });
    await once(told, [page(rows(10))]);
    const doubted = await once(told, [page(rows(6))]);
    expect(doubted.result).toMatchObject({
      kind: 'failed',
      detail: expect.stringMatching(
        /showed 6 of 10 known records; 4 are gone, .*shareMax \(0\.3\)/,
      ),
    });
    expect(doubted.events).toEqual([]);
    const raised = await once(whole, [page(rows(6))]);
    expect(typesOf(raised.events)).toEqual(['delete k6', 'delete k7', 'delete k8', 'delete k9']);
    expect((await once(told, [page(rows(6))])).result.kind).toBe('caught-up');
  });

  test('where the snapshot is empty', async () => {
    const { poll: once } = lasting();
    const told = snapshotOptions('none', { shareMax: 0.99 });
    await once(told, [page(rows(2))]);
    const { result, events } = await once(told, [page([])]);
    expect(result).toMatchObject({ kind: 'failed', detail: expect.stringContaining('0 of 2') });
    expect(events).toEqual([]);
  });

  test('while a record of the snapshot is refused: it may be one of those that are gone', async () => {
    const { poll: once } = lasting();
    await once(whole, [page(rows(3))]);
    const broken = [...rows(2), { content: 'c2', lane: 'lane 2' }];
    const { result, events } = await once(whole, [page(broken)]);
    expect(result).toMatchObject({
      kind: 'failed',
      detail: expect.stringMatching(
        /lacked 1 of 3 known records, and 1 of its records were refused/,
      ),
    });
    expect(events).toEqual([]);
    expect(typesOf((await once(whole, [page(rows(2))])).events)).toEqual(['delete k2']);
  });

  test('where the file says so', async () => {
    const { poll: once } = lasting();
    const told = snapshotOptions('none', { shareMax: undefined });
    await once(told, [page(rows(3))]);
    expect((await once(told, [page([])])).events).toEqual([]);
  });

  test('after a read that did not come to its end', async () => {
    const { poll: once } = lasting();
    const told = snapshotOptions('keyset');
    await once(told, [page(rows(3)), page([])]);
    for (const answer of [
      { kind: 'unavailable', detail: 'the answer was cut short' },
      { kind: 'refused', detail: 'status 400' },
    ] as const) {
      const { result, events } = await once(told, [page(rows(1)), ...Array(9).fill(answer)]);
      expect([result.kind, events]).toEqual(['failed', []]);
    }
  });

  test('of what one snapshot of several pages lacks, until the next lacks it too', async () => {
    const { poll: once } = lasting();
    const told = snapshotOptions('page');
    await once(told, [page(rows(3)), page([])]);
    expect((await once(told, [page(rows(2)), page([])])).events).toEqual([]);
    expect((await once(told, [page(rows(3)), page([])])).events).toEqual([]);
    expect((await once(told, [page(rows(2)), page([])])).events).toEqual([]);
    const fifth = await once(told, [page(rows(2)), page([])]);
    expect(typesOf(fifth.events)).toEqual(['delete k2']);
  });
});

describe('a source that says whether it has changed', () => {
  const answer = (count: number, etag: string) => tagged(page(rows(count)), { etag });

  test('is asked by what it said last, and while it has not, nothing is published or removed', async () => {
    const { asked, poll: once } = lasting();
    const both = {
      etag: 'W/"1"',
      'last-modified': 'Wed, 21 Oct 2037 07:28:00 GMT',
      date: 'Wed, 21 Oct 2037 07:28:01 GMT',
    };
    await once(whole, [tagged(page(rows(2)), both)]);
    const { result, events } = await once(whole, [{ kind: 'unchanged' }]);
    expect([result.kind, result.pages, events]).toEqual(['caught-up', 0, []]);
    expect(asked.map(({ unless }) => unless)).toEqual([
      undefined,
      { etag: 'W/"1"', lastModified: 'Wed, 21 Oct 2037 07:28:00 GMT' },
    ]);
  });

  test('is asked without a condition until what it showed is published, removed and saved', async () => {
    const { asked, poll: once } = lasting();
    const told = snapshotOptions('none', { shareMax: 0.1 });
    await once(told, [answer(9, 'nine')]);
    // It lacks too much: whatever is asked next must be answered.
    await once(told, [answer(3, 'three')]);
    await once(told, [answer(3, 'three')]);
    expect(asked.map(({ unless }) => unless?.etag)).toEqual([undefined, 'nine', undefined]);
  });

  test('is asked without a condition after a run that was not finished', async () => {
    const { asked, poll: once } = lasting();
    const told = snapshotOptions('keyset', { conditional: true });
    await once(told, [tagged(page(rows(2)), { etag: 'first' })], 1);
    await once(told, [
      { kind: 'refused', detail: 'no such place' },
      tagged(page(rows(2)), { etag: 'second' }),
      page([]),
    ]);
    await once(told, [{ kind: 'unchanged' }]);
    const tags = asked.map(({ unless }) => unless?.etag);
    expect(tags.at(-1)).toBe('second');
    expect(tags.slice(0, -1).filter((tag) => tag !== undefined)).toEqual([]);
  });

  test.each([
    ['07:28:00', undefined],
    ['07:28:01', 'Wed, 21 Oct 2037 07:28:00 GMT'],
  ])(
    'by a date alone is asked only if it was answered a second later: at %s',
    async (at, since) => {
      const { asked, poll: once } = lasting();
      const headers = {
        'last-modified': 'Wed, 21 Oct 2037 07:28:00 GMT',
        date: `Wed, 21 Oct 2037 ${at} GMT`,
      };
      await once(whole, [tagged(page(rows(2)), headers)]);
      await once(whole, [page(rows(2))]);
      expect(asked[1]!.unless?.lastModified).toBe(since);
    },
  );

  test('is read anew once the file makes something else of it', async () => {
    const { asked, poll: once } = lasting();
    await once(whole, [answer(2, 'tag')]);
    const map = (record: object) => ({ ...record, more: 1 });
    const { events } = await once({ ...whole, rules: { ...whole.rules, map } }, [answer(2, 'tag')]);
    expect(asked[1]!.unless).toBeUndefined();
    expect(typesOf(events)).toEqual(['upsert k0', 'upsert k1']);
  });
});

/** Puts another standing of the snapshot in the place of what is saved, as an operator does. */
async function restate(
  world: TestWorld,
  change: (cursor: ReturnType<typeof decodeCursor>) => ReturnType<typeof decodeCursor>['snapshot'],
) {
  const cursor = decodeCursor((await savedCursor(world)).cursor);
  world.clock.advance(10 * 60_000);
  const ask = { pipeline: 'orders', nowMs: world.clock.nowMs(), leaseMs: 1 };
  const taken = await world.states.acquire(ask);
  if (taken.kind !== 'acquired') throw new Error(taken.kind);
  const snapshot = change(cursor);
  const after = { ...cursor, ...(snapshot && { snapshot }) };
  await world.states.save(taken.lease, { cursor: encodeCursor(after), notBeforeMs: 0 }, 0);
}
