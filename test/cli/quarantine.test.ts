/** penstock quarantine: listed, shown and exported as it lies in the bucket. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { quarantineId } from '#adapters/objects/quarantine-key';
import { eventOf } from '#test/pipeline/consume-world';
import { DAY_MS, quarantineOnTheWire, refusal } from './quarantine-on-the-wire.ts';

const ORDER = JSON.stringify(eventOf({ key: 'ord-7', version: 1, data: { order_id: 'ord-7' } }));
const POLLED = {
  stage: 'poll',
  reason: 'no-key',
  place: 'row-1',
  atMs: DAY_MS - 86_400_000,
} as const;
const DOCUMENT_KEY =
  'aws/lambda/0a1b2c3d-0000-4000-8000-000000000000/shardId-000000000003/2031/06/12/2031-06-12T00.00.09-0a1b2c3d-0000-4000-8000-000000000001';
const DOCUMENT = JSON.stringify({
  requestContext: {
    functionArn:
      'arn:aws:lambda:us-east-1:000000000000:function:penstock-dev-orders-consume-orders',
    condition: 'RetryAttemptsExhausted',
    approximateInvokeCount: 101,
  },
  version: '1.0',
  timestamp: '2031-06-12T00:00:09.000Z',
  payload: JSON.stringify({
    Records: [
      {
        eventID: 'shardId-000000000003:77',
        kinesis: {
          sequenceNumber: '77',
          partitionKey: 'lane',
          data: Buffer.from('{"n":1.10}').toString('base64'),
          approximateArrivalTimestamp: DAY_MS / 1_000,
        },
      },
    ],
  }),
});

/** Four kinds of object: refused by poll, by the consumer, given up, and of a form nobody knows. */
async function filled() {
  const world = await quarantineOnTheWire();
  await world.refuse(
    refusal(5, '{"torn'),
    refusal(6, ORDER, { reason: 'item-too-large', detail: 'the item would be 500,000 bytes' }),
    refusal(1, '{"subject":"nobody"}', { ...POLLED, origin: undefined } as never),
  );
  world.put(DOCUMENT_KEY, DOCUMENT);
  world.put('orders/not-json/2031/06/12/shardId-000000000003-9.json', '{"v":2,"payload":"later"}');
  return world;
}

const listed = (out: string) => JSON.parse(out) as { found: number; newest: { object: string }[] };

test('a list counts all by reason, and names the newest last, each with its detail', async () => {
  const { run } = await filled();
  const { code, out } = await run(['quarantine', 'list', 'orders']);
  expect(code).toBe(0);
  const lines = out.split('\n');
  expect(lines[0]).toMatch(/^ID +REFUSED BY +REASON +ARRIVED +KEY +BYTES +DETAIL$/);
  expect(lines[1]).toMatch(/^[0-9a-f]{10} +poll +no-key .+ row-1 /);
  expect(out).toMatch(/item-too-large .+ ord-7 .+ the item would be 500,000 bytes/);
  expect(out).toMatch(
    /given-up .+ 1 record .+ RetryAttemptsExhausted: each of them is tried again/,
  );
  expect(out).toMatch(/its form is version 2, and only 1 is known here/);
  expect(out).toContain('5 objects in quarantine of orders, the oldest of 2031-06-11 (');
  expect(lines.slice(-5).map((line) => line.trim().replaceAll(/ +/g, ' '))).toEqual([
    '2 orders not-json',
    '1 a mapping given-up',
    '1 orders item-too-large',
    '1 poll no-key',
    '',
  ]);
});

test('a given-up batch of a consumer that left the pipeline file is not said to be tried again', async () => {
  const { run, put } = await quarantineOnTheWire();
  // What splits at `-consume-` takes it for one of the consumer `orders`.
  const gone = 'penstock-dev-orders-consume-x-consume-orders';
  put(DOCUMENT_KEY, DOCUMENT.replace('penstock-dev-orders-consume-orders', gone));
  const { out } = await run(['quarantine', 'list', 'orders']);
  expect(out).toContain(`${gone}  given-up`);
  expect(out).toContain('not tried again: its consumer left the pipeline file');
  expect(out).toContain('`penstock quarantine export` has its records.');
  const of = await run(['quarantine', 'list', 'orders', '--consumer', 'orders', '--json']);
  expect(listed(of.out).found).toBe(0);
  const shown = await run(['quarantine', 'show', 'orders', DOCUMENT_KEY]);
  expect(shown.out).toContain('is tried again once the consumer is back in it and deployed');
});

test.each([
  [['--consumer', 'poll'], ['poll/no-key']],
  [
    ['--consumer', 'orders'],
    ['orders/not-json', 'orders/not-json', 'orders/item-too-large', 'aws/lambda'],
  ],
  [['--reason', 'given-up'], ['aws/lambda']],
  [['--key', 'ord-7'], ['orders/item-too-large']],
  [
    ['--key', 'lane'],
    ['aws/lambda', 'orders/item-too-large', 'orders/not-json'],
  ],
  [['--until', '2031-06-12T00:00:00Z'], ['poll/no-key']],
  [
    ['--since', '2031-06-12T00:00:00.006Z'],
    ['aws/lambda', 'orders/item-too-large'],
  ],
  [['--consumer', 'orders', '--reason', 'no-key'], []],
])('%j means what it says', async (filter, expected) => {
  const { run } = await filled();
  const { out } = await run(['quarantine', 'list', 'orders', '--json', ...filter]);
  const { found, newest } = listed(out);
  expect(newest.map(({ object }) => object.split('/').slice(0, 2).join('/')).toSorted()).toEqual(
    expected.toSorted(),
  );
  expect(found).toBe(expected.length);
});

test('thousands are counted, and the newest of them listed', async () => {
  const { run, put } = await quarantineOnTheWire();
  for (let at = 0; at < 2_345; at++) {
    const day = String(1 + (at % 28)).padStart(2, '0');
    put(`orders/not-json/2031/02/${day}/shardId-000000000000-${at}.json`, '{}');
  }
  const { out } = await run(['quarantine', 'list', 'orders', '-n', '2', '--json']);
  const { found, newest, fromDay } = JSON.parse(out);
  expect({ found, fromDay }).toEqual({ found: 2_345, fromDay: '2031-02-01' });
  expect(newest.map(({ object }: { object: string }) => object.slice(0, 26))).toEqual([
    'orders/not-json/2031/02/28',
    'orders/not-json/2031/02/28',
  ]);
});

test('an empty quarantine says so', async () => {
  const { run } = await quarantineOnTheWire();
  expect(await run(['quarantine', 'list', 'orders'])).toEqual({
    code: 0,
    out: 'Nothing is in quarantine of orders.\n',
    err: '',
  });
});

test('one object is shown with its payload, its reason and its origin', async () => {
  const { run } = await filled();
  const key = 'orders/item-too-large/2031/06/12/shardId-000000000003-6.json';
  const { code, out } = await run(['quarantine', 'show', 'orders', quarantineId(key).slice(0, 7)]);
  expect(code).toBe(0);
  for (const line of [
    /^object +orders\/item-too-large\/2031\/06\/12\/shardId-000000000003-6\.json$/m,
    /^refused by +orders: item-too-large$/m,
    /^arrived +2031-06-12T00:00:00\.006Z$/m,
    /^sequence +6$/m,
    /^ {2}"subject": "ord-7",$/m,
  ]) {
    expect(out).toMatch(line);
  }
  const shown = JSON.parse((await run(['quarantine', 'show', 'orders', key, '--json'])).out);
  expect(shown).toMatchObject({ kind: 'record', by: 'orders', key: 'ord-7', payload: ORDER });
});

test('a given-up batch is shown record by record, every digit as it came', async () => {
  const { run } = await filled();
  const { out } = await run(['quarantine', 'show', 'orders', quarantineId(DOCUMENT_KEY)]);
  expect(out).toMatch(/^condition +RetryAttemptsExhausted after 101 attempts$/m);
  expect(out).toContain('shardId-000000000003 77, key lane\n{\n  "n": 1.10\n}\n');
});

test('an ID that there is not ends in one sentence', async () => {
  const { run } = await filled();
  const { code, err } = await run(['quarantine', 'show', 'orders', 'ffffffffff']);
  expect(code).toBe(2);
  expect(err).toMatch(
    /^Nothing in the bucket \S+ has the ID 'ffffffffff': `penstock quarantine list` shows them\.\n$/,
  );
});

test('an export holds every object, bytes that are no text in base64', async () => {
  const { run, refuse } = await filled();
  await refuse(refusal(8, '', { payload: Buffer.from([0xff, 0x00]) }));
  const { code, out, err } = await run(['quarantine', 'export', 'orders']);
  expect({ code, err }).toEqual({ code: 0, err: '6 objects exported.\n' });
  const lines = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ kind }) => kind).toSorted()).toEqual([
    'given-up',
    'record',
    'record',
    'record',
    'record',
    'unknown',
  ]);
  expect(lines.find(({ place }) => place?.endsWith('-8')).payloadBase64).toBe('/wA=');
});

test('a file that is exported to is whole, or it is not there', async () => {
  const { run, buckets } = await filled();
  const directory = mkdtempSync(join(tmpdir(), 'penstock-export-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const path = join(directory, 'refused.jsonl');
  const whole = await run(['quarantine', 'export', 'orders', '--to', path]);
  expect({ code: whole.code, err: whole.err }).toEqual({
    code: 0,
    err: `5 objects exported to ${path}.\n`,
  });
  expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(6);

  rmSync(path);
  const { read } = buckets;
  Object.assign(buckets, {
    read: (bucket: string, key: string) =>
      key.includes('-5.json') ? undefined : read(bucket, key),
  });
  const torn = await run(['quarantine', 'export', 'orders', '--to', path]);
  expect(torn).toMatchObject({
    code: 1,
    err: '1 of the objects were taken away meanwhile: export again.\n',
  });
  expect(existsSync(path)).toBe(false);
  expect(existsSync(`${path}.part`)).toBe(false);
});

test('an export to a folder that is not there says so, by the name that was given', async () => {
  const { run } = await filled();
  const argv = ['quarantine', 'export', 'orders', '--to'];
  expect(await run([...argv, '/nonexistent/x.jsonl'])).toEqual({
    code: 1,
    out: '',
    err: 'There is no folder /nonexistent: make it, or name another file by --to.\n',
  });
  const { err } = await run([...argv, tmpdir()]);
  expect(err).toBe(`${tmpdir()} is a folder: --to names a file.\n`);
});
