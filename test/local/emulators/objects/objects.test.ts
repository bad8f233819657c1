import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createObjects } from '#local/emulators/objects/objects';
import { handClock } from '#test/local/hand-clock';
import { ask } from '#test/local/ask';

function open() {
  const clock = handClock(Date.parse('2026-04-03T02:01:09Z'));
  const objects = createObjects({ storage: new DatabaseSync(':memory:'), clock });
  objects.buckets.createBucket('box');
  return objects;
}

const codeOf = (text: string) => /<Code>(.*?)<\/Code>/.exec(text)?.[1];
const keysOf = (text: string) => [...text.matchAll(/<Key>(.*?)<\/Key>/g)].map((match) => match[1]);

test('an object comes back as it was put, with its type', async () => {
  const objects = open();
  const headers = { 'content-type': 'application/json' };
  const put = await ask(objects, 'PUT', '/box/a/b.json', { body: '{"n":10.00}', headers });
  const got = await ask(objects, 'GET', '/box/a/b.json');
  expect(got).toMatchObject({ status: 200, text: '{"n":10.00}' });
  expect(got.headers).toMatchObject({
    'content-type': 'application/json',
    etag: put.headers['etag'],
    'last-modified': 'Fri, 03 Apr 2026 02:01:09 GMT',
  });
});

test('any key and any bytes come back as they were put', async () => {
  const key = fc
    .string({ minLength: 1, maxLength: 12, unit: 'grapheme' })
    .filter((k) => k !== '.' && k !== '..');
  await fc.assert(
    fc.asyncProperty(key, fc.uint8Array({ maxLength: 40 }), async (name, bytes) => {
      const objects = open();
      const path = `/box/x${encodeURIComponent(name)}`;
      await ask(objects, 'PUT', path, { body: bytes });
      expect(objects.buckets.list('box', '')).toEqual([`x${name}`]);
      expect(Buffer.from(objects.buckets.get('box', `x${name}`)!)).toEqual(Buffer.from(bytes));
    }),
    { numRuns: 50 },
  );
});

test.each([
  ['box.localhost:4567', '/a/b'],
  ['box.s3.us-east-1.amazonaws.com', '/a/b'],
  ['127.0.0.1:4567', '/box/a/b'],
  ['s3.us-east-1.amazonaws.com', '/box/a/b'],
  ['localhost:4567', '/box/a/b'],
])('the bucket is read from host %s and path %s', async (host, path) => {
  const objects = open();
  await ask(objects, 'PUT', path, { body: 'x', headers: { host } });
  expect(objects.buckets.list('box', '')).toEqual(['a/b']);
});

test('a body sent in chunks is stored without its frames', async () => {
  const objects = open();
  const body =
    '5;chunk-signature=0f\r\nhello\r\n6\r\n world\r\n0\r\nx-amz-checksum-crc32:AA==\r\n\r\n';
  const headers = { 'x-amz-content-sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER' };
  await ask(objects, 'PUT', '/box/k', { body, headers });
  expect((await ask(objects, 'GET', '/box/k')).text).toBe('hello world');
});

test('a head has the size and no body', async () => {
  const objects = open();
  await ask(objects, 'PUT', '/box/k', { body: 'seven77' });
  const head = await ask(objects, 'HEAD', '/box/k');
  expect(head).toMatchObject({ status: 200, text: '' });
  expect(head.headers['content-length']).toBe('7');
});

test('a deleted object is gone, and deleting it again is no error', async () => {
  const objects = open();
  await ask(objects, 'PUT', '/box/k', { body: 'x' });
  expect((await ask(objects, 'DELETE', '/box/k')).status).toBe(204);
  expect((await ask(objects, 'DELETE', '/box/k')).status).toBe(204);
  expect((await ask(objects, 'GET', '/box/k')).status).toBe(404);
});

test('a put that must not overwrite does not', async () => {
  const objects = open();
  const headers = { 'if-none-match': '*' };
  await ask(objects, 'PUT', '/box/k', { body: 'first', headers });
  const second = await ask(objects, 'PUT', '/box/k', { body: 'second', headers });
  expect([second.status, codeOf(second.text)]).toEqual([412, 'PreconditionFailed']);
  expect((await ask(objects, 'GET', '/box/k')).text).toBe('first');
});

describe('errors', () => {
  test.each([
    ['GET', '/box/none', 404, 'NoSuchKey'],
    ['GET', '/crate/k', 404, 'NoSuchBucket'],
    ['PUT', '/crate/k', 404, 'NoSuchBucket'],
    ['GET', '/crate?list-type=2', 404, 'NoSuchBucket'],
    ['POST', '/box/k', 501, 'NotImplemented'],
    ['GET', '/box?acl', 501, 'NotImplemented'],
    ['GET', '/', 501, 'NotImplemented'],
  ])('%s %s is %i %s', async (method, target, status, code) => {
    const answer = await ask(open(), method, target);
    expect([answer.status, codeOf(answer.text)]).toEqual([status, code]);
    expect(answer.headers['content-type']).toBe('application/xml');
  });

  test('a head of nothing is 404 without a body', async () => {
    expect(await ask(open(), 'HEAD', '/box/none')).toMatchObject({ status: 404, text: '' });
    expect(await ask(open(), 'HEAD', '/crate/none')).toMatchObject({ status: 404, text: '' });
  });
});

describe('lists', () => {
  test('a list holds the keys of a prefix, in the order of their bytes', async () => {
    const objects = open();
    for (const key of ['p/b', 'p/a', 'q/c', 'p/é', 'p/~']) {
      objects.buckets.put('box', key, Buffer.from('123'));
    }
    const { text } = await ask(objects, 'GET', '/box?list-type=2&prefix=p%2F');
    expect(keysOf(text)).toEqual(['p/a', 'p/b', 'p/~', 'p/é']);
    expect(text).toContain('<Size>3</Size>');
    expect(text).toContain('<IsTruncated>false</IsTruncated>');
  });

  test('pages, followed by their tokens, are the whole list', async () => {
    const objects = open();
    const keys = Array.from({ length: 11 }, (_, n) => `k${String(n).padStart(2, '0')}<&`);
    for (const key of keys) objects.buckets.put('box', key, Buffer.alloc(0));
    const found: unknown[] = [];
    for (let token: string | undefined = '', pages = 0; token !== undefined && pages < 9; pages++) {
      const query = `list-type=2&max-keys=4${token === '' ? '' : `&continuation-token=${token}`}`;
      const { text } = await ask(objects, 'GET', `/box?${query}`);
      found.push(...keysOf(text));
      token = /<NextContinuationToken>(.*?)</.exec(text)?.[1];
    }
    expect(found).toEqual(keys.map((key) => key.replace('&', '&amp;').replace('<', '&lt;')));
  });
});

test('an object of a file survives its database being closed', async () => {
  const storage = new DatabaseSync(':memory:');
  const clock = handClock(5);
  const first = createObjects({ storage, clock });
  first.buckets.createBucket('box');
  first.buckets.put('box', 'k', Buffer.from('kept'));
  const second = createObjects({ storage, clock });
  second.buckets.createBucket('box');
  expect((await ask(second, 'GET', '/box/k')).text).toBe('kept');
});
