/** What the local cloud's Kinesis takes in, over HTTP, and what it keeps for it. */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { Row } from './row.ts';

const SERVER = fileURLToPath(new URL('local-kinesis-server.ts', import.meta.url));
const REQUEST_RECORDS = 500;
const RECORD_BYTES = 500;
/** So many requests are under way at once. */
const AT_ONCE = 4;
const WARM_UP = 20_000;
const SPAN = 10_000;
const RECORDS = 200_000;
const RSS_RECORDS = 100_000;
const MB = 1_000_000;

/** One server for all rows, after a warm-up. */
export async function localKinesisRows(): Promise<readonly Row[]> {
  const warm = await openServer();
  await put(warm, WARM_UP);
  const spanMs: number[] = [];
  for (let done = 0; done < RECORDS; done += SPAN) spanMs.push(await put(warm, SPAN));
  warm.child.kill();

  const fresh = await openServer();
  const idle = await rssOf(fresh);
  await put(fresh, RSS_RECORDS, 1);
  const full = await rssOf(fresh);
  fresh.child.kill();

  const half = spanMs.length / 2;
  return [
    {
      what: 'local Kinesis: 1,000 records of 500 B by PutRecords of 500, over HTTP, into 32 shards',
      unit: 'ms',
      value: (sum(spanMs) / RECORDS) * 1_000,
      bound: 50,
    },
    {
      what: 'local Kinesis: 10,000 records among the second 100,000 of 200,000 ÷ among the first',
      unit: '×',
      value: quick(spanMs.slice(half)) / quick(spanMs.slice(0, half)),
      bound: 1.1,
    },
    {
      what: 'local Kinesis: memory over idle after 100,000 records of 500 B, one request after the other',
      unit: 'MB',
      value: (full - idle) / MB,
      bound: 100,
    },
  ];
}

interface Server {
  readonly url: string;
  readonly child: ChildProcess;
  readonly agent: Agent;
}

async function openServer(): Promise<Server> {
  const child = fork(SERVER, { stdio: 'inherit' });
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  return { url, child, agent: new Agent({ keepAlive: true, maxSockets: AT_ONCE }) };
}

async function rssOf({ child }: Server): Promise<number> {
  child.send('rss');
  const [{ rss }] = (await once(child, 'message')) as [{ rss: number }];
  return rss;
}

/** Milliseconds that so many records take; their requests are made before. */
async function put(server: Server, records: number, atOnce = AT_ONCE): Promise<number> {
  const bodies = Array.from({ length: records / REQUEST_RECORDS }, (_, n) => bodyOf(n));
  const startedMs = performance.now();
  const work = async (): Promise<void> => {
    for (let body = bodies.pop(); body !== undefined; body = bodies.pop()) await send(server, body);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return performance.now() - startedMs;
}

function bodyOf(seed: number): Buffer {
  const Data = Buffer.alloc(RECORD_BYTES, 'x').toString('base64');
  const Records = Array.from({ length: REQUEST_RECORDS }, (_, n) => ({
    PartitionKey: `key-${seed}-${n}`,
    Data,
  }));
  return Buffer.from(JSON.stringify({ StreamName: 'bench', Records }));
}

async function send({ url, agent }: Server, body: Buffer): Promise<void> {
  const headers = {
    'x-amz-target': 'Kinesis_20131202.PutRecords',
    'content-length': body.byteLength,
  };
  const asked = request(url, { method: 'POST', agent, headers });
  asked.end(body);
  const [answer] = (await once(asked, 'response')) as [AsyncIterable<Buffer>];
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  if (!text.includes('"FailedRecordCount":0'))
    throw new Error(`a put failed: ${text.slice(0, 200)}`);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

/** A quarter are quicker: what else the machine does makes spans slow, and none quick. */
function quick(samples: readonly number[]): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 4)] ?? Number.NaN;
}
