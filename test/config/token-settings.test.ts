/** What a file may say of a source that is asked by token. */
import { describe, expect, test } from 'vitest';
import { toPollOptions } from '#functions/poll/poll-options';
import { faultsOf, settingsOf, ticketsInput } from '#test/config/pipeline-input';

const TOKEN = { kind: 'token', param: 'sync', next: 'meta.sync' };
const DELTA = { kind: 'delta-link', next: '@odata.deltaLink' };
const LINK = { kind: 'link', next: '@odata.nextLink' };
const CURSOR = { kind: 'cursor', param: 'page', next: 'next' };
const withToken = (incremental: object, pagination: object = CURSOR) => {
  const { source, ...file } = ticketsInput();
  return { ...file, source: { ...source, pagination, incremental } };
};
const sourceOf = (file: object) =>
  toPollOptions(settingsOf(file), undefined, { TICKETS_API_URL: 'https://a.test' }).source;

describe('a token is read with its defaults', () => {
  test('beside pages of their own', () =>
    expect(sourceOf(withToken(TOKEN))).toMatchObject({
      incremental: undefined,
      pagination: { kind: 'cursor' },
      feed: { param: 'sync', next: ['meta', 'sync'], first: undefined, expired: { status: [410] } },
    }));

  test('as what leads from page to page, too', () => {
    const feed = { kind: 'feed', more: 'meta.more', pending: { header: 'X-Left' } };
    const told = {
      ...TOKEN,
      first: '0',
      next: { header: 'X-Seq' },
      expired: { status: [400, 410], onlyIf: { path: 'error.code', is: ['OLD'] } },
    };
    expect(sourceOf(withToken(told, feed))).toMatchObject({
      pagination: {
        kind: 'feed',
        param: 'sync',
        next: { header: 'X-Seq' },
        more: ['meta', 'more'],
        pending: { header: 'X-Left' },
      },
      feed: {
        first: '0',
        expired: { status: [400, 410], onlyIf: { path: ['error', 'code'], values: ['OLD'] } },
      },
    });
  });

  test('as a link', () =>
    expect(sourceOf(withToken(DELTA, LINK))).toMatchObject({
      incremental: undefined,
      pagination: { kind: 'link', next: ['@odata', 'nextLink'] },
      feed: { param: undefined, next: ['@odata', 'deltaLink'], expired: { status: [410] } },
    }));

  test('a time needs no kind, and may name it', () => {
    const time = { param: 'since', field: 'changed_at' };
    expect(sourceOf(withToken({ ...time, kind: 'time' }))).toEqual(sourceOf(withToken(time)));
  });
});

test.each<[object, object, string]>([
  [
    { ...TOKEN, kind: 'tokens' },
    CURSOR,
    "incremental.kind: must be 'time', 'token', 'delta-link' or 'snapshot'",
  ],
  [{ kind: 'token', param: 'sync' }, CURSOR, 'incremental.next: is missing'],
  [
    { ...TOKEN, field: 'changed_at' },
    CURSOR,
    'incremental.field: unknown key; valid here: kind, param, next, first, expired',
  ],
  [
    { ...TOKEN, expired: { status: [429] } },
    CURSOR,
    'incremental.expired.status[0]: must not be 401, 408, 425 or 429: that is no word on a token',
  ],
  [
    { ...TOKEN, expired: { status: [500] } },
    CURSOR,
    'incremental.expired.status[0]: must be at most 499',
  ],
  [
    { ...TOKEN, expired: { onlyIf: { path: 'code', is: [] } } },
    CURSOR,
    'incremental.expired.onlyIf.is: must name at least one kind of error',
  ],
  [{ ...TOKEN, expired: 410 }, CURSOR, 'incremental.expired: must be an object'],
  [
    { ...TOKEN, param: 'size' },
    { kind: 'feed' },
    "incremental.param: 'size' is already source.pageSize.param",
  ],
  [
    { param: 'since', field: 'changed_at' },
    { kind: 'feed' },
    "incremental.kind: must be 'token': pages of a feed are asked for by the token of the last",
  ],
  [
    TOKEN,
    { kind: 'page', param: 'sync' },
    "pagination.param: 'sync' is already source.incremental.param",
  ],
  [
    TOKEN,
    { kind: 'offset', param: 'skip', overlap: 3 },
    'pagination.overlap: must be 0: source.incremental knows no time of a record',
  ],
  [
    DELTA,
    CURSOR,
    "pagination.kind: must be 'link', or 'none', with incremental.kind 'delta-link': what a link leads to is asked for as it is",
  ],
  [
    { ...DELTA, param: 'sync' },
    LINK,
    'incremental.param: unknown key; valid here: kind, next, expired',
  ],
  [
    { ...DELTA, next: 'a..b' },
    LINK,
    "incremental.next: must be a dot path such as 'properties.updated'",
  ],
])('%j with %j is refused in one sentence', (incremental, pagination, sentence) =>
  expect(faultsOf(withToken(incremental, pagination))).toEqual([`source.${sentence}`]),
);

test('lines hold no token, and a header does', () => {
  const linesOf = (next: unknown) => {
    const { source, ...file } = withToken({ ...TOKEN, next }, { kind: 'feed', pending: 'left' });
    return { ...file, source: { ...source, records: { lines: true } } };
  };
  const sentence =
    'must not be a place in the body with records.lines: a line is a record; name a header, or another kind';
  expect(faultsOf(linesOf('seq'))).toEqual([
    `source.pagination.pending: ${sentence}`,
    `source.incremental.next: ${sentence}`,
  ]);
  expect(faultsOf(linesOf({ header: 'X-Seq' }))).toEqual([
    `source.pagination.pending: ${sentence}`,
  ]);
});

test('POLL-07: one parameter may take the token of a page and that of the next run', () =>
  expect(faultsOf(withToken({ ...TOKEN, param: 'page' }))).toEqual([]));
