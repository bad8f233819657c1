import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect } from 'vitest';
import { createObjects } from '#local/emulators/objects/objects';
import { ask } from '#test/local/ask';
import { steppedClock } from '#local/kit/stepped-clock';
import { ruleTest } from '#test/local/rules/rule-test';

async function holding(body: string) {
  const clock = steppedClock(Date.parse('2026-04-03T02:01:09.500Z'));
  const objects = createObjects({ storage: new DatabaseSync(':memory:'), clock });
  objects.buckets.createBucket('box');
  const { headers } = await ask(objects, 'PUT', '/box/k', { body });
  const get = (sent: Record<string, string>) => ask(objects, 'GET', '/box/k', { headers: sent });
  return { objects, get, etag: headers['etag']! };
}

const codeOf = ({ text }: { text: string }) => /<Code>(.*?)<\/Code>/.exec(text)?.[1];

ruleTest('objects', 'range', async () => {
  const { get } = await holding('0123456789');
  const cases: [string, number, string, string | undefined][] = [
    ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
    ['bytes=7-', 206, '789', 'bytes 7-9/10'],
    ['bytes=-3', 206, '789', 'bytes 7-9/10'],
    ['bytes=-30', 206, '0123456789', 'bytes 0-9/10'],
    ['bytes=8-99', 206, '89', 'bytes 8-9/10'],
    ['bytes=4-2', 200, '0123456789', undefined],
    ['bytes=1-2,4-5', 200, '0123456789', undefined],
    ['lines=1-2', 200, '0123456789', undefined],
  ];
  for (const [range, status, text, contentRange] of cases) {
    const answer = await get({ range });
    expect([answer.status, answer.text, answer.headers['content-range']]).toEqual([
      status,
      text,
      contentRange,
    ]);
    expect(answer.headers['content-length']).toBe(String(text.length));
  }
  for (const range of ['bytes=10-', 'bytes=10-12', 'bytes=-0']) {
    const answer = await get({ range });
    expect([answer.status, codeOf(answer)]).toEqual([416, 'InvalidRange']);
  }
});

ruleTest('objects', 'get-conditional', async () => {
  const { get, etag } = await holding('x');
  const [same, before, after] = [
    'Fri, 03 Apr 2026 02:01:09 GMT',
    'Fri, 03 Apr 2026 02:01:08 GMT',
    'Fri, 03 Apr 2026 02:01:10 GMT',
  ];
  const cases: [Record<string, string>, number][] = [
    [{ 'if-match': etag }, 200],
    [{ 'if-match': '"other"' }, 412],
    [{ 'if-match': '*' }, 200],
    [{ 'if-none-match': etag }, 304],
    [{ 'if-none-match': `"other", ${etag}` }, 304],
    [{ 'if-none-match': '"other"' }, 200],
    [{ 'if-modified-since': same }, 304],
    [{ 'if-modified-since': before }, 200],
    [{ 'if-modified-since': after }, 304],
    [{ 'if-unmodified-since': same }, 200],
    [{ 'if-unmodified-since': before }, 412],
    [{ 'if-modified-since': 'soon' }, 200],
    // An etag's condition stands before a time's.
    [{ 'if-match': etag, 'if-unmodified-since': before }, 200],
    [{ 'if-none-match': '"other"', 'if-modified-since': same }, 200],
  ];
  for (const [headers, status] of cases) {
    expect([headers, (await get(headers)).status]).toEqual([headers, status]);
  }
});

ruleTest('objects', 'get-overrides', async () => {
  const { objects } = await holding('x');
  const { headers } = await ask(
    objects,
    'GET',
    '/box/k?response-content-type=text%2Fcsv&response-cache-control=no-store',
  );
  expect(headers).toMatchObject({ 'content-type': 'text/csv', 'cache-control': 'no-store' });
});

const key = fc.string({ minLength: 1, maxLength: 5, unit: fc.constantFrom('a', 'b', '/', 'é') });

/** What a list is, by the definition: of all keys, without pages. */
function expectedList(keys: readonly string[], prefix: string, delimiter: string) {
  const found = [...new Set(keys)]
    .filter((one) => one.startsWith(prefix))
    .sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
  const commonOf = (one: string) => {
    const at = one.indexOf(delimiter, prefix.length);
    return at < 0 ? undefined : one.slice(0, at + delimiter.length);
  };
  return {
    keys: found.filter((one) => commonOf(one) === undefined),
    prefixes: [...new Set(found.flatMap((one) => commonOf(one) ?? []))],
  };
}

ruleTest('objects', 'list-delimiter', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(key, { maxLength: 14 }),
      fc.constantFrom('', 'a', '/', 'a/'),
      fc.integer({ min: 1, max: 4 }),
      async (keys, prefix, countMax) => {
        const { objects } = await holding('x');
        objects.buckets.delete('box', 'k');
        for (const one of keys) objects.buckets.put('box', one, Buffer.alloc(0));
        const got = { keys: [] as string[], prefixes: [] as string[] };
        for (let token: string | undefined = ''; token !== undefined;) {
          const more: string = token === '' ? '' : `&continuation-token=${token}`;
          const query = `list-type=2&delimiter=%2F&prefix=${encodeURIComponent(prefix)}`;
          const { text } = await ask(objects, 'GET', `/box?${query}&max-keys=${countMax}${more}`);
          const page = [...text.matchAll(/<Contents><Key>(.*?)</g)].map(([, one]) => one!);
          const common = [...text.matchAll(/<CommonPrefixes><Prefix>(.*?)</g)].map(([, p]) => p!);
          expect(text).toContain(`<KeyCount>${page.length + common.length}</KeyCount>`);
          expect(page.length + common.length).toBeLessThanOrEqual(countMax);
          got.keys.push(...page);
          got.prefixes.push(...common);
          token = /<NextContinuationToken>(.*?)</.exec(text)?.[1];
        }
        expect(got).toEqual(expectedList(keys, prefix, '/'));
      },
    ),
    { numRuns: Number(process.env['OBJECT_RUNS'] ?? 60) },
  );
});

ruleTest('objects', 'list-start-after', async () => {
  const { objects } = await holding('x');
  for (const one of ['a', 'c']) objects.buckets.put('box', one, Buffer.alloc(0));
  const { text } = await ask(objects, 'GET', '/box?list-type=2&start-after=b');
  expect([...text.matchAll(/<Key>(.*?)</g)].map(([, one]) => one)).toEqual(['c', 'k']);
  expect(text).toContain('<StartAfter>b</StartAfter>');
});

ruleTest('objects', 'list-encoding', async () => {
  const { objects } = await holding('x');
  objects.buckets.put('box', 'a b/é&', Buffer.alloc(0));
  const { text } = await ask(objects, 'GET', '/box?list-type=2&encoding-type=url&prefix=a%20b');
  expect(text).toContain('<Key>a%20b/%C3%A9%26</Key>');
  expect(text).toContain('<EncodingType>url</EncodingType>');
  expect(text).toContain('<Prefix>a%20b</Prefix>');
});

ruleTest('objects', 'list-refused', async () => {
  const { objects } = await holding('x');
  const list = (query: string) => ask(objects, 'GET', `/box?list-type=2&${query}`);
  for (const query of [
    'max-keys=-1',
    'max-keys=many',
    'encoding-type=hex',
    'continuation-token=!!',
  ]) {
    const refused = await list(query);
    expect([refused.status, codeOf(refused)]).toEqual([400, 'InvalidArgument']);
  }
  expect((await list('colour=red')).status).toBe(501);
  const none = await list('max-keys=0');
  expect(none.text).toContain('<IsTruncated>false</IsTruncated>');
});
