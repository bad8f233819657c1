/** penstock preview as a user sees it: a real server, the shipped pipeline of orders. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerResponse } from 'node:http';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { preview } from '#cli/preview/preview';
import { previewRecords } from '#cli/preview/preview-records';
import type { PreviewRow } from '#cli/preview/preview-records';
import { parseExact } from '#core/record/exact-json';
import type { JsonValue } from '#core/record/json';
import { toPollOptions } from '#functions/poll/poll-options';
import { sortPage } from '#pipeline/poll-page';
import { textEncoding } from '#pipeline/encode-texts';
import { sightMemory } from '#core/source/sight';
import { contentDigest } from '#adapters/system/content-digest';
import { systemClock } from '#adapters/system/clock';
import { serve } from '#test/adapters/http/scripted-server';
import { handlerInput, settingsOf, ticketsInput } from '#test/config/pipeline-input';
import { runRecorded } from './run-recorded.ts';

const TOKEN = 'tok-91ac';
async function serveOrders(
  answer: (response: ServerResponse, at: number, query: URLSearchParams) => void,
) {
  const server = await serve((response, at, { url = '' }) =>
    answer(response, at, new URL(url, 'http://here').searchParams),
  );
  return server;
}

const order = (id: number, more = '') =>
  `{"order_id":"ord-${id}","updated_at":"2026-03-01T08:00:0${id}.250Z"${more}}`;
const page = (rows: readonly string[], next: string | null = null) =>
  `{"data":[${rows.join()}],"next_cursor":${JSON.stringify(next)}}`;

const run = ({ url }: { url: string }, ...argv: string[]) =>
  runRecorded(['preview', 'orders', ...argv], {
    env: { ORDERS_API_URL: `${url}/orders?key=query-secret`, ORDERS_API_TOKEN: TOKEN },
  });

describe('penstock preview', () => {
  test('follows pages until it has enough, and shows each record as it would be published', async () => {
    const server = await serveOrders((response, _at, query) =>
      response.end(
        query.get('cursor') === 'c2'
          ? page([order(6, ',"deleted_at":"2026-03-01T08:00:06Z"'), order(4)], 'c3')
          : page([order(1), order(2)], 'c2'),
      ),
    );
    const { code, out, err } = await run(server, '-n', '3');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.split('\n')).toEqual([
      '#  KEY    PARTITION KEY  SHARD  VERSION                   EVENT TIME                BYTES  CHANGE',
      '1  ord-1  ord-1          1      2026-03-01T08:00:01.250Z  2026-03-01T08:00:01.250Z  366    upsert',
      '2  ord-2  ord-2          1      2026-03-01T08:00:02.250Z  2026-03-01T08:00:02.250Z  366    upsert',
      '3  ord-6  ord-6          0      2026-03-01T08:00:06.250Z  2026-03-01T08:00:06.250Z  402    delete',
      'orders: 3 records on 2 pages (2 upsert, 1 delete); 2 shards. Nothing was written.',
      '',
    ]);
    expect(server.requests.map(({ url }) => url)).toEqual([
      '/orders?key=query-secret&limit=500',
      '/orders?key=query-secret&limit=500&cursor=c2',
    ]);
  });

  test('a refused record is shown with its reason, and the exit code is 1', async () => {
    const server = await serveOrders((response) =>
      response.end(page([order(1), '{"order_id":null}', '7', order(1)])),
    );
    const { code, out } = await run(server);
    expect(code).toBe(1);
    expect(out).toMatch(/^2 +- .* refused: no-key$/m);
    expect(out).toMatch(/^record 2 is refused \(no-key\): `order_id` holds null/m);
    expect(out).toMatch(/^record 3 is refused \(not-an-object\): /m);
    expect(out).toMatch(/^4 +- .* the same again, published once$/m);
    expect(out).toContain('4 records on 1 page (1 upsert, 2 refused, 1 repeated); 2 shards.');
  });

  test('POLL-39: a program gets one document, every digit as the source wrote it', async () => {
    const server = await serveOrders((response) =>
      response.end(page([order(1, ',"total":10.00,"twin":36028813724316572')])),
    );
    const { code, out } = await run(server, '--json');
    expect(code).toBe(0);
    expect(out).toMatch(/"total": 10\.00,\n +"twin": 36028813724316572\n/);
    expect(JSON.parse(out)).toMatchObject({
      pipeline: 'orders',
      shardCount: 2,
      pages: 1,
      failure: null,
      records: [
        {
          kind: 'published',
          change: 'upsert',
          key: 'ord-1',
          partitionKey: 'ord-1',
          shard: 1,
          version: '2026-03-01T08:00:01.250Z',
          event: { type: 'orders.upsert', subject: 'ord-1' },
        },
      ],
    });
  });

  test.each([
    [401, {}, 'status 401: the credentials are missing, wrong or expired'],
    [400, {}, 'the source answered status 400'],
    [429, { 'retry-after': '7200' }, 'the source answered status 429 and asks to wait 7200 s'],
    [429, {}, 'the source answered status 429 and names no wait'],
  ])(
    'status %d with %j is the failure of the source, and says no secret',
    async (status, headers, said) => {
      const server = await serveOrders((response) =>
        response.writeHead(status, headers).end(TOKEN),
      );
      const { code, out, err } = await run(server);
      expect(code).toBe(1);
      expect(out).toContain(`The source failed: `);
      expect(out).toContain(said);
      expect(out + err).not.toMatch(/tok-91ac|query-secret/);
    },
  );

  test('POLL-02: a token that is answered again ends it', async () => {
    const server = await serveOrders((response, at) => response.end(page([order(at)], 't1')));
    const { code, out } = await run(server);
    expect(code).toBe(1);
    expect(out).toContain('its page token leads back');
    expect(server.requests).toHaveLength(2);
  });

  test('a source that answers its first page to any token ends it', async () => {
    const server = await serveOrders((response, at) => response.end(page([order(1)], `t${at}`)));
    const { code, out } = await run(server);
    expect(code).toBe(1);
    expect(out).toContain('1 record on 1 page');
    expect(out).toContain('it answers a page that was read before');
  });

  test('POLL-04: empty pages with a token are followed', async () => {
    const server = await serveOrders((response, at) =>
      response.end([page([], 'k2'), page([], 'k3'), page([order(9)])][at]),
    );
    const { code, out } = await run(server);
    expect(code).toBe(0);
    expect(out).toContain('1 record on 3 pages (1 upsert)');
  });

  test('empty pages without end are not followed for ever', async () => {
    const server = await serveOrders((response, at) => response.end(page([], `t${at}`)));
    const { code, out } = await run(server);
    expect({ code, out }).toEqual({
      code: 0,
      out: 'orders: 0 records on 100 pages; 2 shards. Nothing was written.\n',
    });
  });

  test('what is no array of records is said, and what was there', async () => {
    const server = await serveOrders((response) =>
      response.end('{"data":{"a":1},"next_cursor":null}'),
    );
    const { code, out } = await run(server, '--json');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      failure: expect.stringContaining('`data` holds an object with `a`, not an array'),
      records: [],
    });
  });

  test('what would steer a terminal is written out', async () => {
    const hostile = String.raw`"\u001b[2J\u001b]0;mine\u0007\nok"`;
    const [keyed, named] = [order(1).replace('"ord-1"', hostile), `{"data":{${hostile}:1}}`];
    for (const body of [page([keyed, `{"order_id":{${hostile}:1}}`]), named]) {
      const { out } = await run(await serveOrders((response) => response.end(body)));
      expect(out).not.toMatch(/[^\P{Cc}\n]/u);
      expect(out).toContain(String.raw`\u001b[2J\u001b]0;`);
      expect(out).not.toMatch(/^ok/m);
    }
  });

  test('a page token that holds the secret is said to, and is not followed', async () => {
    const server = await serveOrders((response) => response.end(page([order(1)], `2:${TOKEN}`)));
    const { code, out } = await run(server);
    expect(code).toBe(1);
    expect(out).toContain('The source failed: what leads to the next page holds the credential');
    expect(server.requests).toHaveLength(1);
  });

  test('a wait that the source names is kept before it is asked again', async () => {
    const server = await serveOrders((response, at) =>
      at === 0
        ? response.writeHead(429, { 'retry-after': '17' }).end()
        : response.end(page([order(1)])),
    );
    const waits: number[] = [];
    const written: string[] = [];
    await preview(
      {
        settings: settingsOf(
          ticketsInput({
            source: { ...ticketsInput().source, auth: { kind: 'none' }, records: 'data' },
            record: { key: 'order_id', version: 'updated_at', eventTime: 'updated_at' },
            // Its variables are not asked for: nothing is handled here.
            consumers: [handlerInput()],
          }),
        ),
        map: undefined,
      },
      { count: 1, json: false },
      {
        io: {
          env: { TICKETS_API_URL: server.url },
          out: (text) => void written.push(text),
          err: (text) => void written.push(text),
          terminalWidth: undefined,
        },
        fail: () => void written.push('failed'),
        clock: { nowMs: systemClock.nowMs, sleep: async (ms) => void waits.push(ms) },
      },
    );
    expect(waits).toEqual([17_000]);
    expect(written[0]).toBe(
      'The source answered status 429 and asks to wait 17 s: asking again in 17.0 s.\n',
    );
    expect(written).not.toContain('failed');
  });

  test('pipeline files may lie elsewhere, and their map is applied', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'penstock-preview-'));
    const input = ticketsInput({
      source: { ...ticketsInput().source, auth: { kind: 'none' }, records: 'data' },
      record: { key: 'id', version: 'at', eventTime: 'at' },
      stream: { load: { onDemand: true } },
    });
    writeFileSync(
      join(directory, 'tickets.ts'),
      `export default { ...${JSON.stringify(input)},
        map: (r) => r.order_id === 'ord-2' ? null : { id: r.order_id.toUpperCase(), at: r.updated_at } };`,
    );
    const server = await serveOrders((response) => response.end(page([order(1), order(2)])));
    const { code, out } = await runRecorded(['preview', 'tickets', '--directory', directory], {
      env: { TICKETS_API_URL: server.url },
    });
    expect(code).toBe(0);
    expect(out).toMatch(/^1 +ORD-1 +ORD-1 +- /m);
    expect(out).toMatch(/^2 .* left out by the map$/m);
    expect(out).toContain('(1 upsert, 1 filtered); as many shards as AWS adds.');
  });

  test('variables that are missing are one sentence, and nothing is asked', async () => {
    expect(await runRecorded(['preview', 'orders'])).toEqual({
      code: 1,
      out: '',
      err: 'ORDERS_API_URL, ORDERS_API_TOKEN are not set: orders needs them.\n',
    });
  });

  test.each(['0', 'all'])('-n %s is a wrong command line', async (number) => {
    expect(await runRecorded(['preview', 'orders', '-n', number])).toMatchObject({
      code: 2,
      out: '',
    });
  });
});

test('whatever the records are, a preview says of each what a first poll does', () => {
  const options = toPollOptions(settingsOf(ticketsInput()), undefined, {
    TICKETS_API_URL: 'https://api.test/tickets',
  });
  const small = { ...options, recordBytesMax: 430 };
  const record: fc.Arbitrary<JsonValue> = fc.oneof(
    fc.constantFrom<JsonValue>(null, 7, 'x', []),
    fc.record({
      meta: fc.record({ ticket_id: fc.constantFrom<JsonValue>('a', 'b', 7, null, '') }),
      revision: fc.constantFrom<JsonValue>(1, 2, -3, 'no'),
      changed_at: fc.constantFrom<JsonValue>('2026-03-01T08:00:00Z', '2026-03-01', null),
      removed_at: fc.constantFrom<JsonValue>(null, '2026-03-01'),
      note: fc.string({ maxLength: 120 }),
    }),
  );
  fc.assert(
    fc.property(fc.array(record, { maxLength: 12 }), (records) => {
      const rows = previewRecords(records, small, { shardCount: 4, sourceMs: 5_000 });
      const polled = sortPage(
        records,
        small,
        { digest: contentDigest, clock: systemClock },
        {
          epoch: 1,
          sourceMs: 5_000,
          count: counter(),
          memory: sightMemory(),
          texts: textEncoding(),
          bytesOf: () => undefined,
        },
      );
      const published = rows.filter((row) => row.kind === 'published');
      expect(published.map(({ partitionKey, bytes }) => ({ partitionKey, bytes }))).toEqual(
        polled.outgoing.map(({ partitionKey, bytes }) => ({ partitionKey, bytes })),
      );
      expect(published.map(({ event }) => JSON.stringify(event))).toEqual(
        polled.outgoing.map(({ record: { data } }) =>
          JSON.stringify(parseExact(new TextDecoder().decode(data))),
        ),
      );
      const reasons = new Set(reasonsOf(rows));
      expect(reasons).toEqual(new Set(polled.refused.map(({ reason }) => reason)));
    }),
  );
});

const reasonsOf = (rows: readonly PreviewRow[]) =>
  rows.flatMap((row) => (row.kind === 'refused' ? [row.reason] : []));

function counter(): () => number {
  let at = 0;
  return () => ++at;
}
