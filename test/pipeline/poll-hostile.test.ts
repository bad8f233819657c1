/** From the bytes of an answer to the event in the stream: what a source wrote is data, and no more. */
import { expect, test } from 'vitest';
import { bearer } from '#adapters/http/auth/bearer';
import { httpPageSource } from '#adapters/http/page-source';
import { poll } from '#pipeline/poll';
import { serve } from '#test/adapters/http/scripted-server';
import { options, published, row, savedCursor, testClock, testWorld } from './poll-world.ts';

/** One record in an answer, polled; `data` of each event as it was written. */
async function pollBody(body: string) {
  const server = await serve((response) => response.end(body));
  const clock = testClock();
  const source = httpPageSource({ url: server.url, authorize: undefined, clock });
  const world = testWorld([], { source, clock });
  const result = await poll(options, world);
  const texts = world.writer.written.map(({ data }) => new TextDecoder().decode(data));
  return { result, world, data: texts.map((text) => text.slice(text.indexOf('"data":') + 7, -1)) };
}

const NAMES = '"order_id":"7","updated_at":"2031-06-12T15:59:30Z"';

test.each([
  ['names of the language’s own', '"__proto__":{"polluted":1},"constructor":{"prototype":{"x":1}}'],
  ['those names beside a number of many digits', '"__proto__":{"polluted":1.0},"toString":2.50'],
  ['numbers beyond any double', '"big":1e400,"small":-1e-400,"nothing":-0'],
  ['ten thousand digits', `"pi":3.${'14'.repeat(5_000)}`],
  ['halves of surrogate pairs', '"half":"\\ud800","\\udfff":["\\udc00\\ud800"]'],
  ['names that only look like numbers kept as text', '"rawJSON":"1.0","n":{"rawJSON":"x"}'],
])('%s are in the event as they were in the answer', async (_name, members) => {
  const record = `{${NAMES},${members}}`;
  const { result, data } = await pollBody(`{"items":[${record}]}`);
  expect(result).toMatchObject({ kind: 'caught-up', published: 1, refused: 0 });
  expect(data).toEqual([record]);
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
});

test('an answer whose own members have such names is read like any other', async () => {
  const body = `{"__proto__":{"items":[]},"constructor":{},"items":[{${NAMES}}]}`;
  const { data } = await pollBody(body);
  expect(data).toEqual([`{${NAMES}}`]);
  const hidden = await pollBody(`{"__proto__":{"items":[{${NAMES}}]}}`);
  expect(hidden.result).toMatchObject({
    kind: 'failed',
    detail:
      '`items` holds nothing, not an array of records; the answer is an object with `__proto__`',
  });
});

test('of two members of one name the last is published', async () => {
  const { data } = await pollBody(`{"items":[{${NAMES},"n":1.0,"n":2.50}]}`);
  expect(data).toEqual([`{${NAMES},"n":2.50}`]);
});

test('POLL-39: an id beyond any double keeps its digits, and is one key as a number and as text', async () => {
  const spelt = (id: string) => `{"order_id":${id},"updated_at":"2031-06-12T15:59:30Z"}`;
  const records = [spelt('36028813724316573'), spelt('"36028813724316573"')];
  const { world, data } = await pollBody(`{"items":[${records.join(',')}]}`);
  expect(data).toEqual(records);
  const keys = published(world).map(({ subject }) => subject);
  expect(keys).toEqual(['36028813724316573', '36028813724316573']);
});

test('a key that is no Unicode is refused, and its neighbours go on', async () => {
  const half = '{"order_id":"\\ud800","updated_at":"2031-06-12T15:59:30Z"}';
  const { result, world } = await pollBody(`{"items":[${half},{${NAMES}}]}`);
  expect(result).toMatchObject({ kind: 'caught-up', published: 1, refused: 1 });
  expect(world.quarantined[0]?.reason).toBe('no-key');
});

test.each([
  ['a body of another shape', '{"items":{"7":{}}}'],
  ['HTML', '<html>'],
  ['nesting without end', `${'['.repeat(60_000)}1.0`],
  ['an empty body', ''],
])('%s leaves the saved cursor as it was', async (_name, body) => {
  const { result, world } = await pollBody(body);
  expect(result.kind).toBe('failed');
  expect(world.writer.written).toEqual([]);
  expect((await savedCursor(world)).cursor).toBeUndefined();
});

/** What is said of an answer is cut behind forty characters. */
const LONG = 'sk_live_0123456789abcdefghijklmnopqrstuvwxyzABCD';

test.each([
  ['in a name', {}, '{"Bearer tok-91fe":1,"tok-91fe":2}', '`items` holds nothing'],
  ['in its charset', { 'content-type': 'text/json; charset=tok-91fe' }, '{}', 'charset ***'],
  ['in a charset', { 'content-type': `text/json; charset=${LONG}` }, '{}', 'charset ***'],
  ['in a long name', {}, `{"${LONG}":1}`, 'an object with `***`'],
  ['in its type', { 'content-type': 'text/html; x=tok-91fe' }, '<html>', 'x=***'],
])('a token that an answer says back %s is not said on', async (_, headers, body, part) => {
  const token = JSON.stringify([headers, body]).includes(LONG) ? LONG : 'tok-91fe';
  const server = await serve((response) => response.writeHead(200, headers).end(body));
  const clock = testClock();
  const authorize = bearer(async () => token);
  const source = httpPageSource({ url: server.url, authorize, clock });
  const result = await poll(options, testWorld([], { source, clock }));
  expect(result).toMatchObject({ kind: 'failed', detail: expect.stringContaining(part) });
  expect(JSON.stringify(result)).not.toContain(token.slice(0, 8));
});

test.each([
  ['a cursor', { kind: 'cursor', next: ['next'], param: 'c' }, 'p2:Bearer tok-91fe'],
  ['a link', { kind: 'link', next: ['next'] }, '/v1/tok-91fe/orders?page=2'],
] as const)(
  '%s that holds the token ends the run, and is not stored',
  async (_, pagination, next) => {
    const first = row('o1', '2031-06-12T15:59:30Z', { sent: 'Bearer tok-91fe' });
    const server = await serve((response) =>
      response.end(JSON.stringify({ items: [first, { sent: 'tok-91fe' }], next })),
    );
    const clock = testClock();
    const authorize = bearer(async () => 'tok-91fe');
    const source = httpPageSource({ url: server.url, authorize, clock });
    const world = testWorld([], { source, clock });
    const told = { ...options, source: { ...options.source, pagination } };
    expect(await poll(told, world)).toMatchObject({
      kind: 'failed',
      published: 0,
      detail: expect.stringMatching(/^what leads to the next page holds the credential/),
    });
    expect((await savedCursor(world)).cursor ?? '').not.toContain('tok-91fe');
  },
);

test('a token that records say back reaches neither the stream nor the quarantine', async () => {
  const rows = [row('o1', '2031-06-12T15:59:30Z', { sent: 'Bearer tok-91fe' }), { to: 'tok-91fe' }];
  const server = await serve((response) => response.end(JSON.stringify({ items: rows })));
  const clock = testClock();
  const authorize = bearer(async () => 'tok-91fe');
  const source = httpPageSource({ url: server.url, authorize, clock });
  const world = testWorld([], { source, clock });
  expect(await poll(options, world)).toMatchObject({ published: 1, refused: 1 });
  expect(published(world)[0]?.data).toMatchObject({ sent: '***' });
  expect(Buffer.from(world.quarantined[0]!.payload).toString()).toBe('{"to":"***"}');
});
