/** What a file may say of a source that is read as a whole, and of a feed of deletes. */
import { describe, expect, test } from 'vitest';
import { toPollOptions } from '#functions/poll/poll-options';
import { faultsOf, settingsOf, ticketsInput } from '#test/config/pipeline-input';

const file = (source: object, record: object = {}) => {
  const input = ticketsInput();
  return {
    ...input,
    source: { ...input.source, ...source },
    record: { ...input.record, ...record },
  };
};

const whole = {
  pagination: { kind: 'none' },
  incremental: { kind: 'snapshot' },
  pageSize: undefined,
};
const observed = { observed: true };

const deletes = {
  path: '/tickets/deleted',
  records: 'items',
  pagination: { kind: 'page', param: 'page' },
  incremental: { param: 'since', field: 'deleted_at' },
  pageSize: { param: 'limit', value: 100 },
};
const asked = deletes.incremental;

describe('a source that is read as a whole', () => {
  test.each([
    [{}, { conditional: true, shareMax: 0.2 }],
    [{ orphans: { shareMax: 0.7 } }, { conditional: true, shareMax: 0.7 }],
    [{ orphans: false }, { conditional: true, shareMax: undefined }],
    [
      { incremental: { kind: 'snapshot', conditional: false } },
      { conditional: false, shareMax: 0.2 },
    ],
    [
      { pagination: { kind: 'link' }, pageSize: { param: 'limit', value: 9 } },
      { conditional: false, shareMax: 0.2 },
    ],
  ])('%j is polled by %j', (source, told) => {
    const settings = settingsOf(file({ ...whole, ...source }));
    expect(
      toPollOptions(settings, undefined, { TICKETS_API_URL: 'https://a.test' }).snapshot,
    ).toEqual(told);
  });

  test('may hold records without a version or a time of their own', () => {
    const settings = settingsOf(file(whole, { version: observed, eventTime: observed }));
    const { rules } = toPollOptions(settings, undefined, { TICKETS_API_URL: 'https://a.test' });
    expect(rules).toMatchObject({ version: 'observed', eventTime: 'observed' });
  });

  test('a file that names no kind asks by time, as ever', () => {
    const { snapshot, source } = toPollOptions(settingsOf(ticketsInput()), undefined, {
      TICKETS_API_URL: 'https://a.test',
    });
    expect([snapshot, source.incremental?.param]).toEqual([undefined, 'since']);
  });
});

describe('a file is refused in one sentence', () => {
  test.each([
    [
      file({}, { version: observed }),
      "record.version: takes a field's name: `observed` is for source.incremental.kind 'snapshot'",
    ],
    [
      file({ pageSize: undefined }),
      "source.pageSize: is missing: only pagination 'none' asks for no number of records",
    ],
    [
      file({ incremental: { kind: 'snap' } }),
      "source.incremental.kind: must be 'time', 'token', 'delta-link' or 'snapshot'",
    ],
    [
      file({ incremental: { kind: 'snapshot', param: 'since' } }),
      'source.incremental.param: unknown key; valid here: kind, conditional',
    ],
    [
      file({ deletes: { ...deletes, path: 'https://elsewhere.test/deleted' } }),
      "source.deletes.path: must be a path at the origin of source.url such as '/orders/deleted'",
    ],
    [
      file({ deletes: { ...deletes, key: ['a', 'b'] } }),
      'source.deletes.key: must be one dot path, as record.key is',
    ],
    [
      file({ deletes }, { partitionBy: 'customer_id' }),
      "source.deletes.partitionBy: is missing: records go to their shards by 'customer_id', and a delete must go where its record went",
    ],
    [
      file({ deletes: { ...deletes, pagination: { kind: 'page', param: 'limit' } } }),
      "source.deletes.pagination.param: 'limit' is already source.deletes.pageSize.param",
    ],
    [
      file({
        deletes: {
          ...deletes,
          records: { lines: true },
          pagination: { kind: 'cursor', param: 'c', next: 'n' },
        },
      }),
      'source.deletes.pagination.next: must not be a place in the body with records.lines: a line is a record; name a header, or another kind',
    ],
    [
      file({ deletes: { ...deletes, incremental: { ...asked, until: { param: 'to', sec: 60 } } } }),
      'source.deletes.incremental.until.sec: must be at least 92: horizonSec (90) and two seconds',
      'source.deletes.incremental.start: is missing: windows begin somewhere, so until.sec needs it',
    ],
    [
      file({
        deletes: {
          ...deletes,
          query: { to: '1' },
          pagination: { kind: 'link', first: { to: '1' } },
        },
      }),
      'source.deletes.pagination.first.to: is already in source.deletes.query',
    ],
    [
      file({ deletes: { ...deletes, incremental: { ...asked, format: 'local' } } }),
      "source.timeZone: is missing: source.deletes.incremental.format is 'local', the time of some zone",
    ],
    [
      file({
        deletes: { ...deletes, eventTime: { field: 'deleted_at', format: 'local' } },
      }),
      "source.timeZone: is missing: source.deletes.eventTime.format is 'local', the time of some zone",
    ],
    [
      file(
        {
          timeZone: 'Europe/London',
          deletes: { ...deletes, version: { field: 'deleted_at', format: 'local' } },
        },
        { version: 'changed_at' },
      ),
      "source.deletes.version.format: must not be 'local' in Europe/London: where clocks are set back, a later change would be taken for an older one",
    ],
    [
      file({
        url: 'https://a.test/orders?key=1',
        auth: { kind: 'api-key', secret: 'orders-key', param: 'key' },
        deletes,
      }),
      "source.auth.param: 'key' stands in source.url as well",
    ],
    [
      file(
        { deletes: { ...deletes, version: 'deleted_at' } },
        { version: { field: 'rev', format: 'integer' } },
      ),
      "source.deletes.version.format: must be of the kind of record.version's, 'integer': versions of two kinds cannot be compared",
    ],
    [
      file({ ...whole, deletes }),
      "source.deletes: must go: source.incremental.kind 'snapshot' finds what is gone by itself",
    ],
  ])('%#', (input, ...sentences) => expect(faultsOf(input)).toEqual(sentences));

  test.each([
    '//elsewhere.test/x',
    '/\\elsewhere.test',
    '/\t/elsewhere.test',
    'deleted',
    '/a?b=1',
    '/a#b',
    '',
  ])('whose feed of deletes may lead to another origin: %j', (path) =>
    expect(faultsOf(file({ deletes: { ...deletes, path } }))).toEqual([
      "source.deletes.path: must be a path at the origin of source.url such as '/orders/deleted'",
    ]),
  );
});

test('a feed of deletes is read by rules of its own, and each of its rows is a delete', () => {
  const settings = settingsOf(
    file(
      {
        deletes: { ...deletes, key: 'id', version: 'deleted_at', query: { team: { env: 'TEAM' } } },
      },
      { version: 'changed_at' },
    ),
  );
  const env = { TICKETS_API_URL: 'https://a.test', TEAM: 'red' };
  expect(toPollOptions(settings, undefined, env).deletes).toMatchObject({
    source: { fixed: { team: 'red' }, incremental: { path: ['deleted_at'] } },
    records: { path: ['items'] },
    rules: {
      key: [['id']],
      partitionBy: [['id']],
      version: { path: ['deleted_at'], format: 'iso' },
      eventTime: 'observed',
      deleted: ['id'],
      map: undefined,
    },
  });
});
