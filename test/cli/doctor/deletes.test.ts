/** What penstock doctor says of what a source marks as deleted, in its records or in a feed of its own. */
import { describe, expect, test } from 'vitest';
import type { PipelineInput } from '#config/pipeline-input';
import { briefly, everyRow, examine, SOURCE } from './examine.ts';
import type { FakeApi, FakeRow } from './fake-api.ts';

const marked = async (mark: (row: FakeRow) => unknown) =>
  examine({ api: everyRow((row) => ({ removed: mark(row) })) });

const MARK = 'error deleted-mark source.deleted.field';

describe('a mark that no record of the living may hold', () => {
  test.each([
    ['0', 0, '0'],
    ['a text of no', 'false', "'false'"],
    ['an empty text', '', 'an empty text'],
  ])('is found where it is %s', async (_, living, words) => {
    const report = await marked(({ removed }) => (removed === true ? 'gone' : living));
    expect(briefly(report)).toEqual([MARK]);
    expect(report.findings[0]?.sentence).toContain(`\`removed\` holds ${words} in `);
  });

  test('is found where all are deletes', async () =>
    expect(briefly(await marked(({ changed_at }) => changed_at))).toEqual([
      'warning all-deleted source.deleted.field',
    ]));

  test.each([
    ['null', null],
    ['false', false],
  ])('is not %s', async (_, living) =>
    expect(
      briefly(await marked(({ removed, changed_at }) => (removed === true ? changed_at : living))),
    ).toEqual([]),
  );

  test('is not true, though all are deletes', async () =>
    expect(briefly(await marked(() => true))).toEqual([]));
});

test('a map that leaves none of the records is worth a note: some keep few', async () =>
  expect(briefly(await examine({ map: () => null }))).toEqual(['note map-leaves-none map']));

describe('of a feed of deletes', () => {
  const feed = {
    path: '/gone',
    records: 'data',
    key: 'id',
    version: { field: 'revision', format: 'integer' },
    pagination: { kind: 'cursor', param: 'cursor', next: 'next_cursor' },
    incremental: { param: 'since', field: 'changed_at' },
    pageSize: { param: 'limit', value: 8 },
  } as const satisfies PipelineInput['source']['deletes'];
  const { deleted: _deleted, ...living } = SOURCE;
  const foundIn = async (
    over: Partial<NonNullable<PipelineInput['source']['deletes']>>,
    api: FakeApi = {},
  ) =>
    briefly(await examine({ api, file: { source: { ...living, deletes: { ...feed, ...over } } } }));

  test('that is as the file has it, nothing is said', async () =>
    expect(await foundIn({})).toEqual([]));

  test.each([
    ['at another path', 404, 'error deletes-unanswered source.deletes.path'],
    ['whose query is refused', 400, 'error deletes-unanswered source.deletes.query'],
    ['that is not allowed', 403, 'error deletes-unanswered source.deletes.path'],
    ['that is down', 503, 'error deletes-unanswered source.deletes.path'],
  ])('%s, the answer is told', async (_, status, found) => {
    const api: FakeApi = {
      respond: (response, { path }) => path === '/gone' && (response.writeHead(status).end(), true),
    };
    expect(await foundIn({}, api)).toEqual([found]);
  });

  test.each([
    ['records', { records: 'items' }, 'error deletes-records source.deletes.records'],
    ['its key', { key: 'order_id' }, 'error deletes-refused source.deletes.key'],
    [
      'its time',
      { incremental: { param: 'since', field: 'deleted_at' } },
      'error deletes-time source.deletes.incremental.field',
    ],
  ] as const)('that holds nothing where the file has %s, that is told', async (_, over, found) => {
    expect(await foundIn(over)).toEqual([found]);
  });
});
