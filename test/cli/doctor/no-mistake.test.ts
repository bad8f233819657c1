/** penstock doctor against sources that are as their file has them, whatever they do besides. */
import { describe, expect, test } from 'vitest';
import { briefly, everyRow, examine, incremental, ms, SOURCE } from './examine.ts';
import { seededRows } from './fake-api.ts';
import type { FakeApi, FakeRow } from './fake-api.ts';

describe('the doctor finds nothing', () => {
  test.each([1, 7, 4_242])('on a source as its file has it, of seed %d', async (seed) => {
    expect(await examine({ seed })).toMatchObject({
      ok: true,
      pages: 3,
      records: 24,
      findings: [],
    });
  });

  test('POLL-19: on times that differ by nanoseconds, in their order', async () => {
    const digits = (at: number) => `2026-03-01T11:54:${10 + Math.floor(at / 4)}.06${3000400 + at}Z`;
    const api = {
      ...everyRow((_, at) => ({ changed_at: digits(at) })),
      filter: (row: FakeRow, since: string) => String(row.changed_at) >= since,
    };
    expect(briefly(await examine({ api }))).toEqual([]);
  });

  test('on a source that leaves out its boundary, as declared, in whole seconds', async () => {
    const api = {
      ...everyRow((row) => ({ changed_at: Math.floor(ms(row.changed_at) / 1_000) })),
      filter: (row: FakeRow, since: string) => Number(row.changed_at) > Number(since),
    };
    const file = incremental({ inclusive: false, format: 'epoch-s', fieldFormat: 'epoch-s' });
    expect(briefly(await examine({ api, file }))).toEqual([]);
  });

  test('on pages by a number that is not the key, each of which shows a record twice', async () => {
    const time = '2026-03-01T11:54:10.000Z';
    const api = everyRow((row, at) => ({
      revision: at + 1,
      changed_at: at < 7 ? time : row.changed_at,
    }));
    const source = {
      ...SOURCE,
      pagination: { kind: 'keyset', param: 'cursor', field: 'revision' },
      incremental: { ...SOURCE.incremental, ordered: false },
    } as const;
    const report = await examine({ api, file: { source } });
    expect(briefly(report)).toEqual([]);
    expect(report.records).toBe(22);
  });

  test('POLL-15: on a record that changes between two requests', async () => {
    let latest: FakeRow | undefined;
    const api: FakeApi = {
      page: ({ data, next_cursor }, { since }) => {
        if (since === null) {
          latest = data.at(-1) ?? latest;
          return { data, next_cursor };
        }
        const moved = { ...latest, changed_at: new Date().toISOString() };
        return { data: [...data.filter(({ id }) => id !== latest?.id), moved], next_cursor };
      },
    };
    expect(briefly(await examine({ api }))).toEqual([]);
  });

  test('on a record that changed between two pages, and comes again', async () => {
    const api: FakeApi = {
      page: ({ data, next_cursor }, { cursor, since }) => {
        if (cursor !== '16' || since !== null) return { data, next_cursor };
        const again = {
          ...seededRows(7)[0],
          changed_at: new Date().toISOString(),
          revision: 4_711,
        };
        return { data: [...data.slice(0, -1), again], next_cursor };
      },
    };
    expect(briefly(await examine({ api }))).toEqual([]);
  });

  test('on a delete that says no more than its key and its place', async () => {
    const api = everyRow((row, at) =>
      at === 6 ? { removed: true, revision: null, happened_ms: null } : { revision: row.revision },
    );
    expect(briefly(await examine({ api }))).toEqual([]);
  });

  test('on a source that compares whole seconds', async () => {
    const inPairs = (at: number) => 1_770_000_000_000 + Math.floor(at / 2) * 5_000 + (at % 2) * 800;
    const wholeSec = (value: unknown) => Math.floor(ms(value) / 1_000);
    const api: FakeApi = {
      ...everyRow((_, at) => ({ changed_at: new Date(inPairs(at)).toISOString() })),
      filter: (row, since) => wholeSec(row.changed_at) >= wholeSec(since),
    };
    expect(briefly(await examine({ api }))).toEqual([]);
  });

  test.each([
    [100, 'next', 'that is not full, and names no token'],
    [40, 'next_cursor', 'that is full, and says by null that it is the last'],
  ])('on a first page of %d with `%s` %s', async (value, next) => {
    const pagination = { kind: 'cursor', param: 'cursor', next } as const;
    const source = { ...SOURCE, pagination, pageSize: { param: 'limit', value } };
    expect(briefly(await examine({ file: { source } }))).toEqual([]);
  });

  test('POLL-04: on empty pages with a token, and on a wait that fits', async () => {
    const api: FakeApi = {
      respond: (response, { at }) =>
        at === 1 && (response.writeHead(429, { 'retry-after': '2' }).end(), true),
      page: (page, { cursor }) => (cursor === '8' ? { ...page, data: [] } : page),
    };
    expect(briefly(await examine({ api }))).toEqual([
      'note short-pages null',
      'note rate-limit schedule',
    ]);
  });
});

describe('the doctor notes, and calls nothing wrong', () => {
  const noted = async (api: FakeApi) => {
    const { ok, findings } = await examine({ api });
    return { ok, notes: findings.map(({ severity, sentence }) => `${severity}: ${sentence}`) };
  };

  test('what a source says of its limits, and no header that may be a secret', async () => {
    const api: FakeApi = {
      respond(response) {
        response.setHeader('x-ratelimit-remaining', '41');
        response.setHeader('ratelimit', '"default";r=50;t=30');
        response.setHeader('x-api-key', 'key-77');
        return false;
      },
    };
    expect(await noted(api)).toEqual({
      ok: true,
      notes: [
        'note: The source names its limits: ratelimit: "default";r=50;t=30; x-ratelimit-remaining: 41.',
      ],
    });
  });

  test('POLL-39: numbers that a double would change, and not those it only writes otherwise', async () => {
    const api: FakeApi = {
      page: (page) =>
        JSON.stringify(page).replaceAll(
          '"total":',
          '"paid":10.00,"lines":[{"twin":36028813724316571}],"total":',
        ),
    };
    expect(await noted(api)).toEqual({
      ok: true,
      notes: [
        'note: A double would change numbers at `lines.[].twin`: their digits are kept, and a map must not reckon with them.',
      ],
    });
  });

  test('POLL-09: one page that is short, though another follows', async () => {
    const api: FakeApi = {
      rows: (rows) => rows.slice(0, 10),
      ask: (ask) => ({ ...ask, limit: 5 }),
    };
    expect(await noted(api)).toMatchObject({ ok: true, notes: [expect.stringMatching(/1 page /)] });
  });

  test('POLL-11: pages that are shorter than asked for, though more follow', async () => {
    const api: FakeApi = {
      page: ({ data, next_cursor }) => ({ data: data.filter((_, at) => at !== 3), next_cursor }),
      ask: (ask) => ({ ...ask, limit: ask.at === 0 ? 8 : 9 }),
    };
    expect(await noted(api)).toEqual({
      ok: true,
      notes: [
        'note: Before the last page, 1 page had fewer records than were asked for: a short page ends no run.',
      ],
    });
  });
});
