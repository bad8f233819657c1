/** Readers against a real port: order, resharding, and output that is larger than a pipe. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync, mkdtempSync, openSync, readFileSync, closeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { followStream } from '#cli/demo/shard-follower';
import { readToTip } from '#cli/stream-reader';
import { STREAM, streamOnTheWire } from './stream-on-the-wire.ts';

const ROWS = 5_000;
const event = (at: number) =>
  `{"id":"k-${at}","type":"orders.upsert","data":{"order_id":"k-${at}","note":"${'x'.repeat(200)}","amount":10.00}}`;
let big: Awaited<ReturnType<typeof streamOnTheWire>>;

beforeAll(async () => {
  big = await streamOnTheWire();
  await big.put(Array.from({ length: ROWS }, (_, at) => event(at)));
});
afterAll(() => big.close());

const args = (...more: string[]) => [
  'bin/penstock.ts',
  'tail',
  'orders',
  '--endpoint',
  big.endpoint,
  ...more,
];

test('CLI-05: 5,000 rows of JSON through a pipe are the bytes that a file gets, and parse', async () => {
  const child = spawn(process.execPath, args('--json'), { stdio: ['ignore', 'pipe', 'inherit'] });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => void chunks.push(chunk));
  const [code] = (await once(child, 'close')) as [number];
  expect(code).toBe(0);
  const piped = Buffer.concat(chunks).toString();

  const file = join(mkdtempSync(join(tmpdir(), 'penstock-tail-')), 'out');
  writeFileSync(file, '');
  const handle = openSync(file, 'w');
  await once(
    spawn(process.execPath, args('--json'), { stdio: ['ignore', handle, 'inherit'] }),
    'close',
  );
  closeSync(handle);

  expect(piped).toBe(readFileSync(file, 'utf8'));
  const rows = piped
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { event: { id: string } });
  expect(rows).toHaveLength(ROWS);
  expect(new Set(rows.map((row) => row.event.id)).size).toBe(ROWS);
});

test('a reader that goes away is no failure', async () => {
  const child = spawn(process.execPath, args('--json'), { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => void (said += chunk.toString()));
  child.stdout.once('data', () => child.stdout.destroy());
  const [code] = (await once(child, 'close')) as [number];
  expect({ code, said }).toEqual({ code: 0, said: '' });
});

test('-n stops after so many records', async () => {
  const child = spawn(process.execPath, args('--json', '-n', '3'), {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => void (out += chunk.toString()));
  await once(child, 'close');
  expect(out.trimEnd().split('\n')).toHaveLength(3);
});

test('after a split, a key’s records are read in the order they were put', async () => {
  const stream = await streamOnTheWire();
  const follower = followStream(stream.client, STREAM);
  await stream.put(['1', '2', '3'], 'one-key');
  await follower.catchUp();
  await stream.split();
  await stream.put(['4', '5'], 'one-key');
  await follower.catchUp();
  await follower.catchUp();
  const texts = follower.records().map(({ data }) => Buffer.from(data).toString());
  expect(texts).toEqual(['1', '2', '3', '4', '5']);
  expect(follower.shards().map(({ shardId }) => shardId)).toHaveLength(3);

  const read: string[] = [];
  for await (const { data } of readToTip(stream.client, {
    stream: STREAM,
    from: { kind: 'trim-horizon' },
  })) {
    read.push(Buffer.from(data).toString());
  }
  expect(read).toEqual(texts);
  await stream.close();
});
