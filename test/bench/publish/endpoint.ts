/**
 * A PutRecords endpoint that stores nothing, in a process of its own: `node endpoint.ts` prints its
 * URL. POST /mode sets what it does, GET /seen says what came.
 */
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface EndpointMode {
  /** Share of entries that are refused, by turns. */
  readonly refused: number;
  /** How late each answer is. */
  readonly lateMs: number;
  /** True: versions of keys are looked at, which costs the endpoint its speed. */
  readonly judges: boolean;
}

export interface EndpointSeen {
  readonly records: number;
  readonly requests: number;
  readonly bytes: number;
  /** An older version of a key that came first after a newer. */
  readonly late: number;
  /** Arrivals beyond the first. */
  readonly doubled: number;
  /** Keys whose last arrival is not their newest. */
  readonly stale: number;
}

const KEY = Buffer.from('"PartitionKey"');
const OK =
  '{"SequenceNumber":"49590338271490256608559692538361571095921575989136588898","ShardId":"shardId-000000000000"}';
const NO = '{"ErrorCode":"ProvisionedThroughputExceededException","ErrorMessage":"Rate exceeded."}';

/** What a client may ask of its stream before it writes. */
const STREAM = JSON.stringify({
  StreamDescription: { StreamStatus: 'ACTIVE', StreamARN: 'arn', StreamCreationTimestamp: 1 },
  Tags: [],
  HasMoreTags: false,
});

let mode: EndpointMode = { refused: 0, lateMs: 0, judges: false };
let tally = { records: 0, requests: 0, bytes: 0, late: 0, doubled: 0 };
let entries = 0;
const keys = new Map<string, { newest: number; last: number; seen: Set<number> }>();

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks);
    const isPut = String(request.headers['x-amz-target']).endsWith('.PutRecords');
    if (request.url === '/mode') setMode(JSON.parse(body.toString()) as EndpointMode, response);
    else if (request.url === '/seen')
      response.end(JSON.stringify({ ...tally, stale: countStale() }));
    else if (!isPut) response.end(STREAM);
    else if (mode.lateMs > 0) setTimeout(() => put(body, response), mode.lateMs);
    else put(body, response);
  });
});
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});

function setMode(next: EndpointMode, response: ServerResponse): void {
  mode = next;
  tally = { records: 0, requests: 0, bytes: 0, late: 0, doubled: 0 };
  entries = 0;
  keys.clear();
  response.end();
}

function put(body: Buffer, response: ServerResponse): void {
  const outcomes = mode.judges ? judged(body) : counted(body);
  tally.requests++;
  tally.bytes += body.byteLength;
  const failed = outcomes.filter((one) => one === NO).length;
  response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' });
  response.end(`{"FailedRecordCount":${failed},"Records":[${outcomes.join(',')}]}`);
}

function counted(body: Buffer): string[] {
  const outcomes: string[] = [];
  for (let at = body.indexOf(KEY); at >= 0; at = body.indexOf(KEY, at + KEY.length)) {
    outcomes.push(OK);
  }
  tally.records += outcomes.length;
  return outcomes;
}

function judged(body: Buffer): string[] {
  const { Records } = JSON.parse(body.toString()) as {
    Records: { PartitionKey: string; Data: string }[];
  };
  return Records.map(({ PartitionKey, Data }) => {
    const isRefused = mode.refused > 0 && ++entries % Math.round(1 / mode.refused) === 0;
    if (isRefused) return NO;
    const { version } = JSON.parse(Buffer.from(Data, 'base64').toString()) as { version: number };
    arrive(PartitionKey, version);
    return OK;
  });
}

function arrive(key: string, version: number): void {
  const known = keys.get(key) ?? { newest: -1, last: -1, seen: new Set<number>() };
  keys.set(key, known);
  tally.records++;
  if (known.seen.has(version)) tally.doubled++;
  else if (version < known.newest) tally.late++;
  known.seen.add(version);
  known.newest = Math.max(known.newest, version);
  known.last = version;
}

function countStale(): number {
  let stale = 0;
  for (const { newest, last } of keys.values()) if (last !== newest) stale++;
  return stale;
}
