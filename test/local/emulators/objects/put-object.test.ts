import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { expect } from 'vitest';
import { createObjects } from '#local/emulators/objects/objects';
import { readExpiryRules } from '#local/emulators/objects/lifecycle';
import { ask } from '#test/local/ask';
import { steppedClock } from '#local/kit/stepped-clock';
import { ruleTest } from '#test/local/rules/rule-test';

function open(lifecycle?: object) {
  const clock = steppedClock(Date.parse('2026-04-03T02:01:09Z'));
  const objects = createObjects({ storage: new DatabaseSync(':memory:'), clock });
  objects.buckets.createBucket('box', readExpiryRules(lifecycle));
  const put = (key: string, body: string, headers: Record<string, string> = {}) =>
    ask(objects, 'PUT', `/box/${key}`, { body, headers });
  const get = (key: string, headers: Record<string, string> = {}) =>
    ask(objects, 'GET', `/box/${key}`, { headers });
  return { objects, clock, put, get };
}

const codeOf = ({ text }: { text: string }) => /<Code>(.*?)<\/Code>/.exec(text)?.[1];

ruleTest('objects', 'put-headers', async () => {
  const { objects, put, get } = open();
  const headers = {
    'x-amz-meta-source': 'orders',
    'cache-control': 'no-store',
    'content-disposition': 'inline',
    'content-language': 'de',
  };
  await put('k', 'x', { ...headers, 'content-encoding': 'gzip,aws-chunked' });
  const kept = { ...headers, 'content-encoding': 'gzip' };
  expect((await get('k')).headers).toMatchObject(kept);
  expect((await ask(objects, 'HEAD', '/box/k')).headers).toMatchObject(kept);
  await put('k', 'x');
  expect((await get('k')).headers).not.toHaveProperty('x-amz-meta-source');
  const over = await put('k', 'x', { 'x-amz-meta-a': 'x'.repeat(2_048) });
  expect([over.status, codeOf(over)]).toEqual([400, 'MetadataTooLarge']);
  expect((await put('k', 'x', { 'x-amz-meta-a': 'x'.repeat(2_047) })).status).toBe(200);
});

ruleTest('objects', 'put-key-length', async () => {
  const { put } = open();
  expect((await put(encodeURIComponent('é'.repeat(512)), 'x')).status).toBe(200);
  const over = await put(`${'x'.repeat(1_023)}${encodeURIComponent('é')}`, 'x');
  expect([over.status, codeOf(over)]).toEqual([400, 'KeyTooLongError']);
});

ruleTest('objects', 'etag', async () => {
  const { put, get } = open();
  const etag = `"${createHash('md5').update('seven').digest('hex')}"`;
  expect((await put('k', 'seven')).headers['etag']).toBe(etag);
  expect((await get('k')).headers['etag']).toBe(etag);
});

ruleTest(
  'objects',
  'put-chunked',
  async () => {
    const { put } = open();
    const frames = '5\r\nhello\r\n0\r\n\r\n';
    const chunked = { 'x-amz-content-sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER' };
    for (const [body, length] of [
      [frames, '6'],
      ['5\r\nhello\r\n', '5'],
      ['5\r\nhell', '5'],
      ['x\r\nhello\r\n0\r\n\r\n', '5'],
      ['', '0'],
    ] as const) {
      const refused = await put('k', body, { ...chunked, 'x-amz-decoded-content-length': length });
      expect([refused.status, codeOf(refused)]).toEqual([400, 'IncompleteBody']);
    }
    const right = { ...chunked, 'x-amz-decoded-content-length': '5' };
    expect((await put('k', frames, right)).status).toBe(200);
  },
  'or torn',
);

const crc32Of = (text: string) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(text));
  return bytes.toString('base64');
};

ruleTest('objects', 'put-checksums', async () => {
  // The check value of CRC-32C, of "123456789", is in RFC 3720's appendix and every catalogue.
  const text = '123456789';
  const sums = {
    'x-amz-checksum-crc32': crc32Of(text),
    'x-amz-checksum-crc32c': Buffer.from('e3069283', 'hex').toString('base64'),
    'x-amz-checksum-sha1': createHash('sha1').update(text).digest('base64'),
    'x-amz-checksum-sha256': createHash('sha256').update(text).digest('base64'),
  };
  for (const [name, value] of Object.entries(sums)) {
    const { put, get } = open();
    expect((await put('k', text, { [name]: value })).headers[name]).toBe(value);
    expect((await get('k')).headers).not.toHaveProperty(name);
    expect((await get('k', { 'x-amz-checksum-mode': 'ENABLED' })).headers[name]).toBe(value);
    const wrong = await put('k', `${text}0`, { [name]: value });
    expect([wrong.status, codeOf(wrong)]).toEqual([400, 'BadDigest']);
    const trailer = `a\r\n${text}0\r\n0\r\n${name}:${value}\r\n\r\n`;
    const headers = { 'x-amz-content-sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER' };
    expect(codeOf(await put('k', trailer, headers))).toBe('BadDigest');
  }
  const { put } = open();
  expect((await put('k', text, { 'x-amz-checksum-crc64nvme': 'AA==' })).status).toBe(501);
});

ruleTest('objects', 'put-md5', async () => {
  const { put } = open();
  const md5 = createHash('md5').update('x').digest('base64');
  const sha256 = createHash('sha256').update('x').digest('hex');
  expect((await put('k', 'x', { 'content-md5': md5, 'x-amz-content-sha256': sha256 })).status).toBe(
    200,
  );
  expect(codeOf(await put('k', 'y', { 'content-md5': md5 }))).toBe('BadDigest');
  expect(codeOf(await put('k', 'x', { 'content-md5': 'AA==' }))).toBe('InvalidDigest');
  expect(codeOf(await put('k', 'y', { 'x-amz-content-sha256': sha256 }))).toBe(
    'XAmzContentSHA256Mismatch',
  );
});

ruleTest('objects', 'put-unsupported', async () => {
  const { objects, put } = open();
  for (const [name, value] of [
    ['x-amz-tagging', 'a=b'],
    ['x-amz-object-lock-mode', 'GOVERNANCE'],
    ['x-amz-storage-class', 'GLACIER'],
    ['if-none-match', '"e"'],
  ] as const) {
    const refused = await put('k', 'x', { [name]: value });
    expect([refused.status, codeOf(refused)]).toEqual([501, 'NotImplemented']);
  }
  const part = await ask(objects, 'PUT', '/box/k?uploadId=u&partNumber=1', { body: 'x' });
  expect(part.text).toContain('The local cloud has no multipart upload.');
});

ruleTest('objects', 'versions', async () => {
  const { objects, put, get } = open();
  for (const body of ['one', 'two']) await put('k', body);
  expect((await get('k')).text).toBe('two');
  const version = await ask(objects, 'GET', '/box/k?versionId=v1');
  expect([version.status, codeOf(version)]).toEqual([501, 'NotImplemented']);
});

ruleTest('objects', 'copy', async () => {
  const { objects, put, get } = open();
  const first = await put('a%20b', 'x', { 'content-type': 'text/plain', 'x-amz-meta-n': '1' });
  const copy = (to: string, headers: Record<string, string>) =>
    ask(objects, 'PUT', `/box/${to}`, { headers });
  const copied = await copy('c', { 'x-amz-copy-source': '/box/a%20b' });
  expect(copied.text).toContain(`<ETag>${first.headers['etag']}</ETag>`);
  expect(await get('c')).toMatchObject({
    text: 'x',
    headers: { 'content-type': 'text/plain', 'x-amz-meta-n': '1' },
  });
  const replace = { 'x-amz-copy-source': 'box/c', 'x-amz-metadata-directive': 'REPLACE' };
  await copy('c', { ...replace, 'content-type': 'text/html', 'x-amz-meta-m': '2' });
  const { headers } = await get('c');
  expect([headers['content-type'], headers['x-amz-meta-m'], headers['x-amz-meta-n']]).toEqual([
    'text/html',
    '2',
    undefined,
  ]);
  expect(codeOf(await copy('c', { 'x-amz-copy-source': '/box/c' }))).toBe('InvalidRequest');
  expect(codeOf(await copy('d', { 'x-amz-copy-source': '/box/none' }))).toBe('NoSuchKey');
  expect(codeOf(await copy('d', { 'x-amz-copy-source': '/crate/k' }))).toBe('NoSuchBucket');
});

ruleTest('objects', 'delete-many', async () => {
  const { objects, put } = open();
  for (const key of ['a', 'b%26%3Cc', 'd']) await put(key, 'x');
  const remove = (body: string) => ask(objects, 'POST', '/box?delete', { body });
  const keys = '<Object><Key>a</Key></Object><Object><Key>b&amp;&lt;c</Key></Object>';
  const none = '<Object><Key>none</Key></Object>';
  const { text } = await remove(`<Delete>${keys}${none}</Delete>`);
  expect(text.match(/<Deleted>/g)).toHaveLength(3);
  expect(text).toContain('<Key>b&amp;&lt;c</Key>');
  expect(objects.buckets.list('box', '')).toEqual(['d']);
  const quiet = await remove(`<Delete><Quiet>true</Quiet><Object><Key>d</Key></Object></Delete>`);
  expect(quiet.text).not.toContain('<Deleted>');
  for (const wrong of [
    '',
    '<Delete></Delete>',
    `<Delete>${none.repeat(1_001)}</Delete>`,
    '<Delete>',
  ]) {
    expect(codeOf(await remove(wrong))).toBe('MalformedXML');
  }
  expect((await remove(`<Delete>${none.repeat(1_000)}</Delete>`)).status).toBe(200);
});

const DAYS = {
  Rules: [{ Status: 'Enabled', ExpirationInDays: 2, Prefix: 'old/', Id: 'two-days' }],
};

ruleTest('objects', 'expiry', async () => {
  const { objects, clock, put, get } = open(DAYS);
  expect((await put('old/k', 'x')).headers['x-amz-expiration']).toBe(
    'expiry-date="Mon, 06 Apr 2026 00:00:00 GMT", rule-id="two-days"',
  );
  expect((await put('new/k', 'x')).headers).not.toHaveProperty('x-amz-expiration');
  await clock.step(Date.parse('2026-04-05T23:59:59.999Z') - clock.nowMs());
  expect((await get('old/k')).status).toBe(200);
  await clock.step(1);
  expect((await get('old/k')).status).toBe(404);
  expect(objects.buckets.list('box', '')).toEqual(['new/k']);
});

ruleTest('objects', 'expiry-exact', async () => {
  const { objects, clock, put } = open({ Rules: [{ Status: 'Enabled', ExpirationInDays: 1 }] });
  await put('k', 'x');
  await clock.step(2 * 86_400_000);
  expect((await ask(objects, 'GET', '/box?list-type=2')).text).toContain('<KeyCount>0</KeyCount>');
});

ruleTest('objects', 'expiry-rules', () => {
  const enabled = { Status: 'Enabled', ExpirationInDays: 3 };
  const read = (...Rules: readonly object[]) => readExpiryRules({ Rules });
  expect(read({ ...enabled, Status: 'Disabled' }, { Status: 'Enabled', Transitions: [] })).toEqual(
    [],
  );
  expect(read(enabled)).toEqual([{ id: 'rule-1', prefix: '', days: 3 }]);
  expect(readExpiryRules(undefined)).toEqual([]);
  expect(() => read({ ...enabled, TagFilters: [] })).toThrow('Rules.TagFilters is not supported');
  expect(() => read({ Status: 'Enabled', ExpirationDate: 'x' })).toThrow('ExpirationDate');
});
