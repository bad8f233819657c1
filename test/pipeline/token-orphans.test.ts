/** What a full read of a source that is asked by token removes, and when it removes nothing. */
import { describe, expect, test } from 'vitest';
import { memoryLedgers } from '#adapters/memory/ledgers';
import { cursorAnew } from '#cli/set-cursor';
import type { JsonObject } from '#core/record/json';
import type { Cursor } from '#core/source/cursor';
import { decodeCursor, encodeCursor } from '#core/source/cursor-text';
import type { Pagination } from '#core/source/pagination';
import { poll } from '#pipeline/poll';
import type { PollOptions, PollWorld } from '#pipeline/poll-options';
import type { PageAnswer } from '#ports/page-source';
import { options as base, published, savedCursor, START_MS, testWorld } from './poll-world.ts';

const ORPHANS = { shareMax: 0.67, keysMax: 19, partsMax: 16 };
const CURSOR: Pagination = { kind: 'cursor', param: 'page', next: ['next'] };
const FEED: Pagination = { kind: 'feed', param: 'since', next: ['token'], pending: ['left'] };

function byToken(pagination: Pagination, orphans: Partial<typeof ORPHANS> = {}): PollOptions {
  return {
    ...base,
    source: {
      ...base.source,
      pagination,
      incremental: undefined,
      feed: { param: 'since', next: ['token'], first: undefined, expired: { status: [410] } },
    },
    rules: { ...base.rules, deleted: ['gone'], partitionBy: [['lane']] },
    orphans: { ...ORPHANS, ...orphans },
  };
}
const rowOf = (order_id: string): JsonObject => ({
  order_id,
  lane: `lane ${order_id}`,
  updated_at: '2031-06-12T15:00:00Z',
});
const goneRow = (order_id: string): JsonObject => ({ ...rowOf(order_id), gone: true });
const answer = (items: readonly JsonObject[], members: JsonObject): PageAnswer => ({
  kind: 'page',
  body: { items: [...items], ...members },
  startedAtMs: START_MS,
});
const rows = (ids: string) => [...ids].map(rowOf);
const EXPIRED: PageAnswer = { kind: 'refused', detail: 'status 410', status: 410 };

/** Polls one after another, each with answers of its own; a poll has time for those alone. */
function lasting() {
  let answers: readonly PageAnswer[] = [];
  const world = testWorld([], {
    ledgers: memoryLedgers(),
    source: {
      async fetchPage() {
        const [next, ...rest] = answers;
        answers = rest;
        return next!;
      },
    },
    remainingMs: () => (answers.length > 0 ? 50_000 : 7_000),
  });
  async function onceIn(
    parts: Partial<PollWorld>,
    told: PollOptions,
    ...some: readonly PageAnswer[]
  ) {
    answers = some;
    world.clock.advance(10 * 60_000);
    const from = published(world).length;
    const result = await poll(told, { ...world, ...parts });
    const events = published(world).slice(from);
    return {
      result,
      events: events.map(({ type, subject }) => `${type.split('.')[1]} ${subject}`),
      deletes: events.flatMap(({ type, subject }) => (type === 'orders.delete' ? [subject] : [])),
    };
  }
  return {
    world,
    onceIn,
    once: (told: PollOptions, ...some: readonly PageAnswer[]) => onceIn({}, told, ...some),
    async restate(change: (cursor: Cursor) => Cursor) {
      const { cursor } = await savedCursor(world);
      world.clock.advance(10 * 60_000);
      const nowMs = world.clock.nowMs();
      const taken = await world.states.acquire({ pipeline: 'orders', nowMs, leaseMs: 1 });
      if (taken.kind !== 'acquired') throw new Error(taken.kind);
      const after = encodeCursor(change(decodeCursor(cursor)));
      await world.states.save(taken.lease, { cursor: after, notBeforeMs: 0 }, 1);
    },
    cursor: async () => decodeCursor((await savedCursor(world)).cursor),
  };
}

const detailOf = ({ result }: { result: object }) => (result as { detail?: string }).detail;

describe('a full read after a token that was too old', () => {
  test('removes at its end, and not before, what it did not show, in the shard of the record', async () => {
    const { world, once } = lasting();
    const told = byToken(CURSOR);
    await once(told, answer(rows('abcd'), { token: 't1' }));
    const begun = await once(told, EXPIRED, answer(rows('ab'), { next: 'p2' }));
    expect(begun.events).toEqual(['upsert a', 'upsert b']);
    const ended = await once(told, answer(rows('d'), { token: 't2' }));
    expect(ended.events).toEqual(['upsert d', 'delete c']);
    expect(ended.result.kind).toBe('caught-up');
    const [last] = world.writer.written.slice(-1);
    expect(last!.partitionKey).toBe('lane c');
    expect(published(world).at(-1)).toMatchObject({ version: '', data: { order_id: 'c' } });
    expect(world.events).toContainEqual({
      event: 'SnapshotSettled',
      pipeline: 'orders',
      keys: 3,
      removed: 1,
      waiting: 0,
    });
    expect(await world.ledgers!.names()).toHaveLength(1);
  });

  test('removes what came and was deleted by token as little as what it tells to be deleted', async () => {
    const { once } = lasting();
    const told = byToken(FEED);
    await once(told, answer(rows('abc'), { token: 't1', left: 0 }));
    await once(told, answer([...rows('de'), goneRow('a')], { token: 't2', left: 0 }));
    const read = [...rows('bcd'), goneRow('e')];
    const full = await once(told, EXPIRED, answer(read, { token: 't3', left: 0 }));
    expect(full.deletes).toEqual(['e']);
    expect(full.result.kind).toBe('caught-up');
    // Neither is known any more: of four keys, three would be too many.
    const next = await once(told, EXPIRED, answer(rows('cd'), { token: 't4', left: 0 }));
    expect(next.deletes).toEqual(['b']);
    const last = await once(told, EXPIRED, answer([], { token: 't5', left: 0 }));
    expect(detailOf(last)).toContain('2 records are known');
  });

  test('refuses to remove more than shareMax, once; after a reset and with a larger share it removes', async () => {
    const { once, restate } = lasting();
    await once(byToken(CURSOR), answer(rows('abcd'), { token: 't1' }));
    const refused = await once(byToken(CURSOR), EXPIRED, answer(rows('a'), { token: 't2' }));
    expect(refused.deletes).toEqual([]);
    expect(detailOf(refused)).toMatch(/showed 1 of 4 known.*`penstock cursor reset orders` has/);
    expect((await once(byToken(CURSOR), answer([], { token: 't2' }))).result.kind).toBe(
      'caught-up',
    );
    await restate((cursor) => cursorAnew(cursor)!);
    const anew = await once(byToken(CURSOR, { shareMax: 1 }), answer(rows('a'), { token: 't3' }));
    expect(anew.deletes).toEqual(['b', 'c', 'd']);
  });

  test('is held against what was known before it began', async () => {
    const { once } = lasting();
    await once(byToken(CURSOR), answer(rows('ab'), { token: 't1' }));
    await once(byToken(CURSOR), EXPIRED, answer(rows('cde'), { next: 'p2' }));
    const ended = await once(byToken(CURSOR), answer(rows('fgh'), { token: 't2' }));
    expect(ended.deletes).toEqual([]);
    expect(detailOf(ended)).toContain('showed 0 of 2 known records');
  });

  test('counts what it shows once more when it begins again within a poll', async () => {
    const { once, restate } = lasting();
    const told = byToken(CURSOR, { shareMax: 1 });
    await once(told, answer(rows('abcd'), { token: 't1' }));
    await restate((cursor) => cursorAnew(cursor)!);
    const anew = await once(
      told,
      answer(rows('ab'), { next: 'p2' }),
      { kind: 'refused', detail: 'status 403', status: 403 },
      answer(rows('ab'), { next: 'p3' }),
      answer(rows('c'), { token: 't2' }),
    );
    expect(anew.deletes).toEqual(['d']);
  });

  test('removes what a poll that died may have published, and may not have deleted again', async () => {
    const { world, once, onceIn } = lasting();
    const told = byToken(FEED);
    await once(told, answer(rows('ab'), { token: 't1', left: 0 }));
    const { writer } = world;
    const dying: Partial<PollWorld> = {
      writer: {
        async put(records) {
          await writer.put(records.slice(0, 1));
          throw new Error('the stream is gone');
        },
      },
    };
    const both = [...rows('c'), goneRow('c'), goneRow('b')];
    const died = await onceIn(dying, told, answer(both, { token: 't2', left: 0 }));
    expect(died.events).toEqual(['upsert c']);
    const full = await once(told, EXPIRED, answer(rows('ad'), { token: 't3', left: 0 }));
    expect(full.deletes).toEqual(['b', 'c']);
  });

  test('removes nothing where it showed nothing, whatever share may go', async () => {
    const { once } = lasting();
    const told = byToken(CURSOR, { shareMax: 1 });
    await once(told, answer(rows('ab'), { token: 't1' }));
    const empty = await once(told, EXPIRED, answer([], { token: 't2' }));
    expect([empty.deletes, detailOf(empty)]).toMatchObject([
      [],
      expect.stringContaining('showed nothing, and 2 records are known'),
    ]);
    const full = await once(told, EXPIRED, answer(rows('b'), { token: 't3' }));
    expect(full.deletes).toEqual(['a']);
  });

  test('removes nothing where a record was refused before its key was read', async () => {
    const { once } = lasting();
    const told = byToken(CURSOR);
    await once(told, answer(rows('abc'), { token: 't1' }));
    await once(told, EXPIRED, answer([{ lane: 'no key' }], { next: 'p2' }));
    const read = await once(told, answer(rows('ab'), { token: 't2' }));
    expect(read.deletes).toEqual([]);
    expect(detailOf(read)).toContain('1 of its records were refused');
  });

  test('removes nothing where it was given up part of the way', async () => {
    const { once, cursor } = lasting();
    const told = byToken(FEED);
    await once(told, answer(rows('abc'), { token: 't1', left: 0 }));
    await once(told, EXPIRED, answer(rows('a'), { token: 't2', left: 2 }));
    const broken: PageAnswer = { kind: 'refused', detail: 'status 403', status: 403 };
    const ended = await once(told, broken, answer(rows('b'), { token: 't3', left: 0 }));
    expect(ended.deletes).toEqual([]);
    expect(await cursor()).toMatchObject({ token: 't3', run: null });
    const full = await once(told, EXPIRED, answer(rows('ab'), { token: 't4', left: 0 }));
    expect(full.deletes).toEqual(['c']);
  });

  test.each(['the stream fails', 'time runs out'])(
    'takes up again a removal that was not confirmed, as %s',
    async (why) => {
      const { world, once, onceIn } = lasting();
      const told = byToken(CURSOR);
      await once(told, answer(rows('abc'), { token: 't1' }));
      const { writer, remainingMs } = world;
      let puts = 0;
      const isDue = () => puts >= 1 && why === 'time runs out';
      const failing: Partial<PollWorld> = {
        remainingMs: () => (isDue() ? 1_000 : remainingMs()),
        writer: {
          async put(records) {
            if (++puts === 2) throw new Error('the stream is gone');
            return writer.put(records);
          },
        },
      };
      const full = [EXPIRED, answer(rows('ab'), { token: 't2' })];
      const died = await onceIn(failing, told, ...full);
      expect(died.result.kind).toBe(why === 'time runs out' ? 'out-of-time' : 'failed');
      expect(died.events).toEqual(['upsert a', 'upsert b']);
      expect((await once(told, ...full)).deletes).toEqual(['c']);
    },
  );

  test('counts an absence twice where rows may move between two pages', async () => {
    const { once } = lasting();
    const told = byToken({ kind: 'page', param: 'page', first: 1 });
    const full = (ids: string, token: string) => [answer(rows(ids), {}), answer([], { token })];
    await once(told, ...full('abcd', 't1'));
    expect((await once(told, EXPIRED, ...full('ab', 't2'))).deletes).toEqual([]);
    // What comes by token is not missing.
    await once(told, answer(rows('d'), {}), answer([], { token: 't3' }));
    expect((await once(told, EXPIRED, ...full('ab', 't4'))).deletes).toEqual(['c']);
  });
});

describe('the keys that may live', () => {
  test('of a pipeline that noted none are noted from now on, and no other is removed', async () => {
    const { world, once } = lasting();
    const { orphans: _none, ...before } = byToken(CURSOR);
    await once(before, answer(rows('abc'), { token: 't1' }));
    expect(await world.ledgers!.names()).toEqual([]);
    await once(byToken(CURSOR), answer(rows('de'), { token: 't2' }));
    const full = await once(byToken(CURSOR), EXPIRED, answer(rows('ad'), { token: 't3' }));
    expect(full.deletes).toEqual(['e']);
  });

  test('cost one write for each page that publishes, and none for one that does not', async () => {
    const { world, once } = lasting();
    const told = byToken(FEED);
    await once(told, answer(rows('a'), { token: 't1', left: 0 }));
    await once(told, answer(rows('b'), { token: 't2', left: 0 }));
    await once(told, answer([], { token: 't3', left: 0 }));
    expect(await world.ledgers!.names()).toHaveLength(2);
  });

  test('are written down anew after so many pages', async () => {
    const { world, once, cursor } = lasting();
    const told = byToken(FEED, { partsMax: 2 });
    await once(told, answer(rows('abc'), { token: 't0', left: 0 }));
    for (const id of 'def') {
      await once(told, answer([rowOf(id), goneRow('a')], { token: id, left: 0 }));
    }
    expect(await world.ledgers!.names()).toHaveLength(1);
    const { snapshot } = await cursor();
    expect(snapshot).toEqual({ ledger: (await world.ledgers!.names())[0] });
    const text = await world.ledgers!.get(snapshot!.ledger!);
    expect(text!.match(/"[b-f]",/g)).toHaveLength(5);
    expect(text).not.toContain('"a"');
  });

  test.each(['within a full read', 'by token'])(
    'are noted no more where there are too many %s: that is said once',
    async (how) => {
      const { world, once, cursor } = lasting();
      const told = byToken(FEED, { keysMax: 3, partsMax: 0 });
      const [first, then] = how === 'by token' ? ['ab', 'cd'] : ['abcd', 'e'];
      const polls = [await once(told, answer(rows(first), { token: 't1', left: 0 }))];
      polls.push(await once(told, answer(rows(then), { token: 't2', left: 0 })));
      expect(polls.filter(({ result: { kind } }) => kind === 'failed')).toHaveLength(1);
      expect(polls.map(detailOf).join('')).toContain(
        'more keys live at the source than are noted (3)',
      );
      expect((await once(told, answer(rows('f'), { token: 't3', left: 0 }))).result.kind).toBe(
        'caught-up',
      );
      expect(await world.ledgers!.names()).toEqual([]);
      // One that fits is kept again; what it lacks is not known.
      const full = await once(told, EXPIRED, answer(rows('ab'), { token: 't4', left: 0 }));
      expect([full.result.kind, full.deletes]).toEqual(['caught-up', []]);
      expect((await cursor()).snapshot?.isOver).toBeUndefined();
      const next = await once(told, EXPIRED, answer(rows('b'), { token: 't5', left: 0 }));
      expect(next.deletes).toEqual(['a']);
    },
  );

  test('that are lost are missed once', async () => {
    const { world, once } = lasting();
    const told = byToken(FEED, { partsMax: 0 });
    await once(told, answer(rows('ab'), { token: 't1', left: 0 }));
    for (const name of await world.ledgers!.names()) await world.ledgers!.remove(name);
    const missed = await once(told, answer(rows('c'), { token: 't2', left: 0 }));
    expect(detailOf(missed)).toContain('is gone from its bucket');
    expect(missed.events).toEqual(['upsert c']);
    expect((await once(told, answer(rows('d'), { token: 't3', left: 0 }))).result.kind).toBe(
      'caught-up',
    );
  });
});
