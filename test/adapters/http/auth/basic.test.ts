import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { basic } from '#adapters/http/auth/basic';
import { parseLogin } from '#adapters/http/auth/login';
import { scriptedServer } from '#test/adapters/http/scripted-server';
import { askOnce } from './ask-once.ts';

const signal = new AbortController().signal;
const secret = (username: unknown, password: unknown, more: object = {}) =>
  JSON.stringify({ ...more, username, password });
const show = (text: string) => basic(async () => text)({ signal });

/** What a server makes of it. */
async function received(text: string): Promise<string> {
  const server = await scriptedServer((response) => response.end('[]'));
  await askOnce(
    server.url,
    basic(async () => text),
  );
  await server.close();
  const [scheme, pair] = server.requests[0]!.authorization!.split(' ');
  return `${scheme} ${Buffer.from(pair!, 'base64').toString('utf8')}`;
}

test('a login arrives as it is, letters beyond ASCII too', async () => {
  expect(await received(secret('ada', 'p:w ü€'))).toBe('Basic ada:p:w ü€');
});

test.each([
  ['a key for a user name, without a password', 'key-3f9c', ''],
  ['a password alone', '', 'pat-3f9c'],
])('%s is a login', async (_what, username, password) => {
  expect(await received(secret(username, password))).toBe(`Basic ${username}:${password}`);
});

test('what else the secret holds, as one of a database does, is ignored', () => {
  expect(parseLogin(secret('ada', 'pw', { engine: 'x', port: 5 }))).toEqual({
    username: 'ada',
    password: 'pw',
  });
});

test('a login is read as it was written, or not at all', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (name, word) => {
      const login = parseLogin(secret(name, word));
      const can = !/[:\p{Cc}]/u.test(name) && !/\p{Cc}/u.test(word) && name + word !== '';
      expect(login).toEqual(can ? { username: name, password: word } : undefined);
    }),
  );
});

describe('no login is', () => {
  test.each([
    'ada:pw',
    'null',
    '"ada:pw"',
    '["ada","pw"]',
    '{"user":"ada","password":"pw"}',
    secret('ada', 7),
    secret('', ''),
    secret('a:b', 'pw'),
    secret('ada', 'p\nw'),
  ])('%s: it is refused before anything is sent, and not quoted', async (text) => {
    expect(await show(text)).toEqual({
      kind: 'refused',
      detail: 'the secret of source.auth must be JSON such as {"username":"…","password":"…"}',
    });
  });

  test('for ever, once it is put right: it is read again', async () => {
    const authorize = basic(async ({ fresh }) => (fresh ? secret('ada', 'pw') : 'ada:pw'));
    expect((await authorize({ signal })).kind).toBe('credentials');
  });
});

test('a login that the source refuses is read again once', async () => {
  const server = await scriptedServer((response, at) => {
    response.statusCode = at === 0 ? 401 : 200;
    response.end('[]');
  });
  const authorize = basic(async ({ fresh }) => secret('ada', fresh ? 'new' : 'old'));
  expect((await askOnce(server.url, authorize)).kind).toBe('page');
  await server.close();
  expect(server.requests.map(({ authorization }) => authorization)).toEqual([
    `Basic ${btoa('ada:old')}`,
    `Basic ${btoa('ada:new')}`,
  ]);
});
