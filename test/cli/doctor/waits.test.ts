/** penstock doctor against a source that wants to be left alone. */
import { describe, expect, test } from 'vitest';
import { briefly, examine, SOURCE } from './examine.ts';
import type { FakeApi } from './fake-api.ts';

describe('a source that asks to wait longer than a person would', () => {
  const busy = (isBusy: (since: string | null) => boolean): FakeApi => ({
    respond: (response, { since }) =>
      isBusy(since) && (response.writeHead(429, { 'retry-after': '7200' }).end(), true),
  });

  test('is asked once, and that is what is found', async () => {
    const { findings, pages } = await examine({ api: busy(() => true) });
    expect(pages).toBe(0);
    expect(findings[0]).toEqual({
      severity: 'error',
      check: 'told-to-wait',
      field: 'schedule',
      sentence: 'The source answered status 429 and asks to wait 7200 s; it allows no request now.',
    });
  });

  test('amid the pages is not asked once more', async () => {
    let requests = 0;
    const api: FakeApi = {
      respond(response, { at, cursor }) {
        requests = at + 1;
        return cursor !== null && (response.writeHead(429, { 'retry-after': '7200' }).end(), true);
      },
    };
    const report = await examine({ api });
    expect(briefly(report)).toEqual(['error told-to-wait schedule', 'note rate-limit schedule']);
    expect(requests).toBe(2);
  });

  test('before the boundary could be tried is a warning', async () => {
    expect(briefly(await examine({ api: busy((since) => since !== null) }))).toEqual([
      'warning boundary-unasked source.incremental.param',
      'note rate-limit schedule',
    ]);
  });
});

test('a page that no run asks for is asked for once', async () => {
  const asked: (string | null)[] = [];
  const api: FakeApi = {
    respond(response, { cursor, since }) {
      if (since === null) asked.push(cursor);
      return cursor === '0' && (response.writeHead(500).end(), true);
    },
    ask: (ask) => ({ ...ask, cursor: ask.cursor === '0' ? '0' : String(8 * Number(ask.cursor)) }),
    page: ({ data }) => ({ data }),
  };
  const pagination = { kind: 'page', param: 'cursor' } as const;
  expect(briefly(await examine({ api, file: { source: { ...SOURCE, pagination } } }))).toEqual([]);
  expect(asked).toEqual(['8', '16', '24', '0']);
});
