import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '#core/record/json';
import type { Pagination } from '#core/source/pagination';
import { decodeCursor } from '#core/source/cursor-text';
import { poll } from '#pipeline/poll';
import type { PageAnswer } from '#ports/page-source';
import {
  options as base,
  page,
  published,
  row,
  savedCursor,
  START_MS,
  testWorld,
} from './poll-world.ts';
import type { TestWorld } from './poll-world.ts';

const FEED: Pagination = { kind: 'feed', param: 'since', next: ['token'] };
const CURSOR: Pagination = { kind: 'cursor', param: 'page', next: ['next'] };
const byToken = (pagination: Pagination, feed: object = {}) => ({
  ...base,
  source: {
    ...base.source,
    pagination,
    incremental: undefined,
    feed: {
      param: 'since',
      next: ['token'],
      first: undefined,
      expired: { status: [410] },
      ...feed,
    },
  },
});
const answer = (members: JsonObject, ids: readonly string[] = []): PageAnswer => {
  const items: JsonValue = ids.map((id) => row(id, '2031-06-12T15:00:00Z'));
  return { kind: 'page', body: { items, ...members }, startedAtMs: START_MS };
};
const EXPIRED: PageAnswer = { kind: 'refused', detail: 'status 410', status: 410 };
const tokenOf = async (world: TestWorld) => decodeCursor((await savedCursor(world)).cursor).token;
const eventsOf = ({ events }: TestWorld, name: string) =>
  events.filter(({ event }) => event === name);
/** Polls anew, as long as there are answers, one each. */
async function pollOn(world: TestWorld, options: ReturnType<typeof byToken>) {
  world.clock.advance(10 * 60_000);
  return poll(options, world);
}

describe('a source that answers a token is asked by it', () => {
  test('POLL-07: what the last page holds is kept, and the next run asks by it', async () => {
    const same = byToken(
      { kind: 'cursor', param: 'cursor', next: ['next'], more: ['more'] },
      { param: 'cursor', next: ['next'] },
    );
    const world = testWorld([
      answer({ next: 'z1', more: true }, ['1']),
      answer({ next: 'z2', more: false }, ['2']),
      answer({ next: 'z2', more: false }),
    ]);
    expect(await poll(same, world)).toMatchObject({ kind: 'caught-up', pages: 2, published: 2 });
    expect(world.asked.map(({ cursor }) => cursor)).toEqual([undefined, 'z1']);
    expect(await tokenOf(world)).toBe('z2');
    await pollOn(world, same);
    expect(world.asked.at(-1)).toMatchObject({ cursor: 'z2' });
  });

  test('POLL-07: an answer that holds none leaves the last good one', async () => {
    const world = testWorld([answer({ token: 't1' }, ['1']), answer({ token: null })]);
    await poll(byToken(FEED), world);
    expect(world.asked.map(({ since }) => since)).toEqual([undefined, 't1']);
    expect(await tokenOf(world)).toBe('t1');
  });

  test('a token that stands before the last page is not taken', async () => {
    const broken: PageAnswer = { kind: 'refused', detail: 'status 403', status: 403 };
    const world = testWorld([answer({ token: 'early', next: 'p2' }, ['1']), broken]);
    expect(await poll(byToken(CURSOR), world)).toMatchObject({ kind: 'failed', published: 1 });
    expect(await tokenOf(world)).toBeUndefined();
  });

  test('every page of a run asks for what changed since the same token', async () => {
    const world = testWorld([
      answer({ token: 't1' }, ['1']),
      answer({ next: 'p2' }, ['2']),
      answer({ token: 't2' }, ['3']),
    ]);
    await poll(byToken(CURSOR), world);
    await pollOn(world, byToken(CURSOR));
    expect(world.asked).toEqual([
      { limit: '3' },
      { limit: '3', since: 't1' },
      { limit: '3', since: 't1', page: 'p2' },
    ]);
    expect(await tokenOf(world)).toBe('t2');
  });

  test('a run begins again where the file takes the token from elsewhere', async () => {
    const broken: PageAnswer = { kind: 'refused', detail: 'status 403', status: 403 };
    const world = testWorld([
      answer({ next: 'p2' }, ['1']),
      broken,
      broken,
      answer({ seq: 's1' }, ['1']),
    ]);
    await poll(byToken(CURSOR), world);
    await pollOn(world, byToken(CURSOR, { next: ['seq'] }));
    expect(world.asked.at(-1)).toEqual({ limit: '3' });
    expect(await tokenOf(world)).toBe('s1');
  });

  test('a full read asks as the file says', async () => {
    const world = testWorld([answer({ token: '0' })]);
    await poll(byToken(FEED, { first: '0' }), world);
    expect(world.asked).toEqual([{ limit: '3', since: '0' }]);
  });

  test('a source that never holds one is read, and somebody hears of it', async () => {
    const world = testWorld([answer({}, ['1'])]);
    expect(await poll(byToken(CURSOR), world)).toMatchObject({
      kind: 'failed',
      published: 1,
      detail: 'the last answer held no token for `since`: every run reads everything again',
    });
  });
});

describe('a feed ends', () => {
  test.each<[string, Pagination, readonly PageAnswer[]]>([
    ['at an empty page', FEED, [answer({ token: 'a' }, ['1']), answer({ token: 'b' })]],
    [
      'where nothing is left, and not at an empty page before',
      { ...FEED, pending: ['left'] },
      [answer({ token: 'a', left: 1 }), answer({ token: 'b', left: 0 }, ['1'])],
    ],
    [
      'where it says so, and not at an empty page before',
      { ...FEED, more: ['more'] },
      [answer({ token: 'a', more: true }), answer({ token: 'b', more: false }, ['1'])],
    ],
  ])('%s', async (_, pagination, answers) => {
    const world = testWorld(answers);
    expect(await poll(byToken(pagination), world)).toMatchObject({ kind: 'caught-up', pages: 2 });
    expect(await tokenOf(world)).toBe('b');
  });

  test.each<[string, Pagination, readonly PageAnswer[], string]>([
    [
      'that answers records and the token it was asked with',
      FEED,
      [answer({ token: 'a' }, ['1']), answer({ token: 'a' }, ['2'])],
      'the source answered 1 record and the token that it was asked with: asked again, it would answer them again',
    ],
    [
      'that goes in a circle',
      FEED,
      ['a', 'b', 'a'].map((token, at) => answer({ token }, [String(at)])),
      'the source answered a page token it had answered before: it would never end',
    ],
    [
      'that has more, and no token',
      { ...FEED, pending: ['left'] },
      [answer({ token: null, left: 3 }, ['1'])],
      'there is more to come, but `token` holds no token',
    ],
    [
      'whose rest is no count',
      { ...FEED, pending: ['left'] },
      [answer({ token: 'a', left: 'many' })],
      '`left` holds a text, not a count',
    ],
    [
      'whose token is none',
      FEED,
      [answer({ token: {} }, ['1'])],
      '`token` holds an empty object, not a token',
    ],
  ])('in an error %s', async (_, pagination, answers, detail) => {
    const world = testWorld(answers);
    expect(await poll(byToken(pagination), world)).toMatchObject({ kind: 'failed', detail });
  });
});

describe('a token that is too old', () => {
  const full = [answer({ token: 't9', next: 'p2' }, ['1']), answer({ token: 't9' }, ['2'])];

  test('leads to a full read, which publishes what was published before', async () => {
    const world = testWorld([answer({ token: 't1' }, ['1']), EXPIRED, ...full]);
    await poll(byToken(CURSOR), world);
    const end = await pollOn(world, byToken(CURSOR));
    expect(end).toMatchObject({ kind: 'caught-up', published: 2 });
    expect(published(world).map(({ subject }) => subject)).toEqual(['1', '1', '2']);
    expect(eventsOf(world, 'ResyncStarted')).toHaveLength(1);
    expect(eventsOf(world, 'ResyncEnded')).toHaveLength(1);
    expect(world.asked[2]).toEqual({ limit: '3' });
    expect(await tokenOf(world)).toBe('t9');
  });

  test('while a feed is read leads to a full read of what this poll has published already', async () => {
    const world = testWorld([
      answer({ token: 't1' }, ['1']),
      EXPIRED,
      answer({ token: 't9' }, ['1']),
      answer({ token: 't9' }),
    ]);
    expect(await poll(byToken(FEED), world)).toMatchObject({ kind: 'caught-up' });
    expect(published(world).map(({ subject }) => subject)).toEqual(['1', '1']);
  });

  test('and a poll that ends in the middle: the next goes on there, and knows what for', async () => {
    const fail: PageAnswer = { kind: 'refused', detail: 'status 403', status: 403 };
    const world = testWorld([
      answer({ token: 't1' }, ['1']),
      EXPIRED,
      full[0]!,
      fail,
      fail,
      full[1]!,
    ]);
    await poll(byToken(CURSOR), world);
    expect(await pollOn(world, byToken(CURSOR))).toMatchObject({ kind: 'failed' });
    const { resync, token } = decodeCursor((await savedCursor(world)).cursor);
    expect([resync, token]).toEqual([{ atMs: expect.any(Number) as number }, undefined]);
    await pollOn(world, byToken(CURSOR));
    expect(decodeCursor((await savedCursor(world)).cursor).resync).toBeUndefined();
  });

  test('twice in one poll is an error', async () => {
    const world = testWorld([
      answer({ token: 't1' }, ['1']),
      EXPIRED,
      answer({ token: 't2' }, ['1']),
      EXPIRED,
    ]);
    expect(await poll(byToken(FEED), world)).toMatchObject({
      kind: 'failed',
      detail: 'status 410',
    });
    expect(eventsOf(world, 'ResyncStarted')).toHaveLength(1);
  });

  test.each<[string, PageAnswer, object]>([
    ['that was never shown', EXPIRED, {}],
    ['of another status', { ...EXPIRED, status: 400 } as PageAnswer, {}],
    ['of no status', page([]), { expired: { status: [410] } }],
  ])('is none %s', async (_, second, feed) => {
    const answers = second === EXPIRED ? [EXPIRED] : [answer({ token: 't1' }, ['1']), second];
    const world = testWorld(answers);
    await poll(byToken(CURSOR, feed), world);
    if (answers.length > 1) await pollOn(world, byToken(CURSOR, feed));
    expect(eventsOf(world, 'ResyncStarted')).toEqual([]);
  });

  test('is known by the kind of error that the file names, and by no other of its status', async () => {
    const told = byToken(CURSOR, {
      expired: { status: [400], onlyIf: { path: ['code'], values: ['OLD', 'TOO_OLD'] } },
    });
    const refusal = (errorKind?: string): PageAnswer => ({
      kind: 'refused',
      detail: 'status 400',
      status: 400,
      ...(errorKind === undefined ? {} : { errorKind }),
    });
    for (const kind of ['BAD_FILTER', undefined]) {
      const world = testWorld([answer({ token: 't1' }, ['1']), refusal(kind)]);
      await poll(told, world);
      expect(await pollOn(world, told)).toMatchObject({ kind: 'failed', detail: 'status 400' });
      expect(eventsOf(world, 'ResyncStarted')).toEqual([]);
    }
    const world = testWorld([answer({ token: 't1' }, ['1']), refusal('TOO_OLD'), ...full]);
    await poll(told, world);
    expect(await pollOn(world, told)).toMatchObject({ kind: 'caught-up', published: 2 });
  });

  test('is known by the status that the file names', async () => {
    const world = testWorld([
      answer({ token: 't1' }, ['1']),
      { ...EXPIRED, status: 400 } as PageAnswer,
      ...full,
    ]);
    const told = byToken(CURSOR, { expired: { status: [400] } });
    await poll(told, world);
    expect(await pollOn(world, told)).toMatchObject({ kind: 'caught-up', published: 2 });
  });
});
