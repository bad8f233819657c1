import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { createObjects } from '#local/emulators/objects/objects';
import { steppedClock } from '#local/kit/stepped-clock';
import { ask } from '#test/local/ask';
import { ruleTest } from '#test/local/rules/rule-test';

function open() {
  const clock = steppedClock(Date.parse('2026-04-03T02:01:09Z'));
  const objects = createObjects({ storage: new DatabaseSync(':memory:'), clock });
  objects.buckets.createBucket('box');
  return objects;
}

const codeOf = (text: string) => /<Code>(.*?)<\/Code>/.exec(text)?.[1];
const keysOf = (text: string) => [...text.matchAll(/<Key>(.*?)<\/Key>/g)].map((match) => match[1]);

ruleTest('objects', 'put', async () => {
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

ruleTest('objects', 'put-bytes', async () => {
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

ruleTest('objects', 'address', async () => {
  for (const [host, path] of [
    ['box.localhost:4567', '/a/b'],
    ['box.s3.us-east-1.amazonaws.com', '/a/b'],
    ['127.0.0.1:4567', '/box/a/b'],
    ['s3.us-east-1.amazonaws.com', '/box/a/b'],
    ['localhost:4567', '/box/a/b'],
  ] as const) {
    const objects = open();
    await ask(objects, 'PUT', path, { body: 'x', headers: { host } });
    expect(objects.buckets.list('box', '')).toEqual(['a/b']);
  }
});

ruleTest('objects', 'address-encoded', async () => {
  const request = {
    method: 'GET',
    query: new URLSearchParams(),
    headers: {},
    body: Buffer.from(''),
  };
  for (const path of ['/box/%', '/box/%zz', '/box/%ff']) {
    const { status, body } = await open().handle({ ...request, path });
    expect([status, codeOf(String(body))]).toEqual([400, 'InvalidURI']);
  }
});

ruleTest('objects', 'put-chunked', async () => {
  const objects = open();
  const body =
    '5;chunk-signature=0f\r\nhello\r\n6\r\n world\r\n0\r\nx-amz-checksum-crc32:DUoRhQ==\r\n\r\n';
  const headers = { 'x-amz-content-sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER' };
  await ask(objects, 'PUT', '/box/k', { body, headers });
  expect((await ask(objects, 'GET', '/box/k')).text).toBe('hello world');
});

ruleTest('objects', 'head', async () => {
  const objects = open();
  await ask(objects, 'PUT', '/box/k', { body: 'seven77' });
  const head = await ask(objects, 'HEAD', '/box/k');
  expect(head).toMatchObject({ status: 200, text: '' });
  expect(head.headers['content-length']).toBe('7');
});

ruleTest('objects', 'delete', async () => {
  const objects = open();
  await ask(objects, 'PUT', '/box/k', { body: 'x' });
  expect((await ask(objects, 'DELETE', '/box/k')).status).toBe(204);
  expect((await ask(objects, 'DELETE', '/box/k')).status).toBe(204);
  expect((await ask(objects, 'GET', '/box/k')).status).toBe(404);
});

ruleTest('objects', 'put-conditional', async () => {
  const objects = open();
  const headers = { 'if-none-match': '*' };
  const first = await ask(objects, 'PUT', '/box/k', { body: 'first', headers });
  const second = await ask(objects, 'PUT', '/box/k', { body: 'second', headers });
  expect([second.status, codeOf(second.text)]).toEqual([412, 'PreconditionFailed']);
  expect(second.text).toContain('<Condition>If-None-Match</Condition>');
  expect((await ask(objects, 'GET', '/box/k')).text).toBe('first');
  const named = { 'if-match': first.headers['etag']! };
  expect((await ask(objects, 'PUT', '/box/k', { body: 'third', headers: named })).status).toBe(200);
  const stale = await ask(objects, 'PUT', '/box/k', { body: 'fourth', headers: named });
  expect([stale.status, codeOf(stale.text)]).toEqual([412, 'PreconditionFailed']);
  const absent = await ask(objects, 'PUT', '/box/none', { body: 'x', headers: named });
  expect([absent.status, codeOf(absent.text)]).toEqual([404, 'NoSuchKey']);
});

ruleTest('objects', 'no-such', async () => {
  for (const [method, target, code] of [
    ['GET', '/box/none', 'NoSuchKey'],
    ['GET', '/crate/k', 'NoSuchBucket'],
    ['PUT', '/crate/k', 'NoSuchBucket'],
    ['GET', '/crate?list-type=2', 'NoSuchBucket'],
  ] as const) {
    const answer = await ask(open(), method, target);
    expect([answer.status, codeOf(answer.text)]).toEqual([404, code]);
    expect(answer.headers['content-type']).toBe('application/xml');
  }
  expect(await ask(open(), 'HEAD', '/box/none')).toMatchObject({ status: 404, text: '' });
  expect(await ask(open(), 'HEAD', '/crate/none')).toMatchObject({ status: 404, text: '' });
});

ruleTest('objects', 'not-implemented', async () => {
  for (const [method, target] of [
    ['POST', '/box/k'],
    ['POST', '/box/k?uploads'],
    ['GET', '/box?acl'],
    ['GET', '/box'],
    ['PUT', '/box'],
    ['GET', '/'],
    ['GET', '/box/k?tagging'],
  ] as const) {
    const answer = await ask(open(), method, target);
    expect([answer.status, codeOf(answer.text)]).toEqual([501, 'NotImplemented']);
    expect(answer.headers['x-amz-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  }
});

describe('lists', () => {
  ruleTest('objects', 'list', async () => {
    const objects = open();
    for (const key of ['p/b', 'p/a', 'q/c', 'p/é', 'p/~']) {
      objects.buckets.put('box', key, Buffer.from('123'));
    }
    const { text } = await ask(objects, 'GET', '/box?list-type=2&prefix=p%2F');
    expect(keysOf(text)).toEqual(['p/a', 'p/b', 'p/~', 'p/é']);
    expect(text).toContain('<Size>3</Size>');
    expect(text).toContain('<IsTruncated>false</IsTruncated>');
  });

  ruleTest('objects', 'list-pages', async () => {
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

ruleTest('objects', 'kept', async () => {
  const storage = new DatabaseSync(':memory:');
  const clock = steppedClock(5);
  const first = createObjects({ storage, clock });
  first.buckets.createBucket('box');
  first.buckets.put('box', 'k', Buffer.from('kept'));
  const second = createObjects({ storage, clock });
  second.buckets.createBucket('box');
  expect((await ask(second, 'GET', '/box/k')).text).toBe('kept');
});
