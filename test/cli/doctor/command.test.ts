/** penstock doctor as a user sees it: the shipped pipeline of orders. */
import { expect, test } from 'vitest';
import { whileListening } from '#test/demo/running-server';
import { runRecorded } from '#test/cli/run-recorded';
import { FAKE_TOKEN, fakeApi, seededRows } from './fake-api.ts';

const data = seededRows(3).map(({ id, changed_at }) => ({ order_id: id, updated_at: changed_at }));

/** Whatever boundary it is given. */
const orders = { page: () => ({ data, next_cursor: null }) };

const run = (url: string, ...argv: string[]) =>
  runRecorded(['doctor', 'orders', ...argv], {
    env: { ORDERS_API_URL: url, ORDERS_API_TOKEN: FAKE_TOKEN },
  });

test('each finding is a line with the file and the field, and the exit code is 1', () =>
  whileListening(fakeApi(3, orders), async (url) => {
    expect(await run(url)).toEqual({
      code: 1,
      out:
        'error    orders.ts: source.incremental.param: With a boundary in `updated_since` the source answers ' +
        'what lies before it as well: every poll would read everything.\n' +
        'orders: 1 error on 1 page with 40 records.\n',
      err: '',
    });
  }));

test('a program gets one document', () =>
  whileListening(fakeApi(3, orders), async (url) => {
    const { code, out } = await run(url, '--json', '--pages', '1');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      ok: false,
      file: 'orders.ts',
      pipeline: 'orders',
      pages: 1,
      records: 40,
      findings: [{ severity: 'error', check: 'boundary-ignored' }],
    });
  }));

test('where nothing is found, it says what was looked at, and exits with 0', () => {
  const filtering = {
    page: (_page: unknown, { since }: { since: string | null }) => ({
      data: data.filter(({ updated_at }) => String(updated_at) >= (since ?? '')),
      next_cursor: null,
    }),
  };
  return whileListening(fakeApi(3, filtering), async (url) => {
    expect(await run(url)).toEqual({
      code: 0,
      out: 'orders: nothing found on 1 page with 40 records.\n',
      err: '',
    });
  });
});

test.each([
  [['--pages', '0'], '--pages must be 1 or more.\n'],
  [['--pages', 'all'], "--pages must be a whole number, not 'all'.\n"],
])('%j is a wrong command line: exit code 2', async (argv, err) => {
  expect(await run('http://127.0.0.1:9', ...argv)).toEqual({ code: 2, out: '', err });
});

test('variables that are missing are one sentence, and nothing is asked', async () => {
  expect(await runRecorded(['doctor', 'orders'])).toEqual({
    code: 1,
    out: '',
    err: 'ORDERS_API_URL, ORDERS_API_TOKEN are not set: orders needs them.\n',
  });
});
