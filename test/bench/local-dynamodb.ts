/**
 * Conditional updates over HTTP: ours, dynalite and a server that does nothing, in one run, by turns.
 *
 * The same client asks each of them, over the same number of sockets; a rate is of requests made before, from
 * the first that is sent to the last that is answered. Processor time is what the server's process says of itself.
 */
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { jsonRequest, openRawClient } from './raw-client.ts';
import type { RawClient } from './raw-client.ts';
import type { Row } from './row.ts';

const SERVER = fileURLToPath(new URL('local-dynamodb-server.ts', import.meta.url));
/** Not measured: a server is as fast as it will be only when its code is compiled. */
const WARM_UP_ROUNDS = 6;
const ROUNDS = 12;
const UPDATES = 2_000;
const KEYS = 500;
/** Enough that no server waits for the client. */
const SOCKETS = 16;
const AT_ONCE = 1;
const TARGET = 'DynamoDB_20120810';

interface Server {
  readonly name: 'ours' | 'dynalite' | 'bare';
  readonly client: RawClient;
  readonly child: ChildProcess;
  /** By round, of one update. */
  readonly samples: Cost[];
}

/** Microseconds of one update. */
interface Cost {
  readonly wallUs: number;
  /** Of the server's process alone. */
  readonly cpuUs: number;
}

/** Less is better: how long ours takes of what dynalite takes. */
export async function dynamodbRows(): Promise<readonly Row[]> {
  const { ours, dynalite } = await measure();
  return [
    {
      what: 'a conditional update over HTTP ÷ the same of dynalite',
      unit: '×',
      value: ours.wallUs / dynalite.wallUs,
      bound: 1 / 3,
    },
    {
      what: 'processor time of a conditional update over HTTP ÷ the same of dynalite',
      unit: '×',
      value: ours.cpuUs / dynalite.cpuUs,
      bound: 1 / 3,
    },
  ];
}

async function measure(): Promise<Readonly<Record<Server['name'], Cost>>> {
  const servers = [await start('ours'), await start('dynalite'), await start('bare')];
  try {
    for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
      const requests = updatesOf(round);
      for (const server of servers) {
        const cost = await costOf(server, requests);
        if (round >= WARM_UP_ROUNDS) server.samples.push(cost);
      }
    }
  } finally {
    for (const { client, child } of servers) {
      client.close();
      child.kill();
    }
  }
  const [ours = NOTHING, dynalite = NOTHING, bare = NOTHING] = servers.map(({ samples }) => ({
    wallUs: quick(samples.map(({ wallUs }) => wallUs)),
    cpuUs: quick(samples.map(({ cpuUs }) => cpuUs)),
  }));
  return { ours, dynalite, bare };
}

const NOTHING: Cost = { wallUs: Number.NaN, cpuUs: Number.NaN };

async function costOf({ client, child }: Server, requests: readonly Buffer[]): Promise<Cost> {
  const before = await cpuOf(child);
  const ms = await client.send(requests);
  const after = await cpuOf(child);
  return { wallUs: (ms * 1_000) / requests.length, cpuUs: (after - before) / requests.length };
}

/** Microseconds of processor that a server has used. */
async function cpuOf(child: ChildProcess): Promise<number> {
  child.send('cpu');
  const [{ cpuUs }] = (await once(child, 'message')) as [{ cpuUs: number }];
  return cpuUs;
}

async function start(name: Server['name']): Promise<Server> {
  const child = fork(SERVER, [name], { stdio: 'inherit' });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  const client = await openRawClient(port, { sockets: SOCKETS, atOnce: AT_ONCE });
  await client.send([
    jsonRequest(`${TARGET}.CreateTable`, {
      TableName: 'orders',
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      BillingMode: 'PAY_PER_REQUEST',
    }),
  ]);
  await new Promise((resolve) => setTimeout(resolve, 200));
  return { name, client, child, samples: [] };
}

/** As a table that keeps the newest version of each key is written. */
function updatesOf(round: number): readonly Buffer[] {
  return Array.from({ length: UPDATES }, (_, at) =>
    jsonRequest(`${TARGET}.UpdateItem`, {
      TableName: 'orders',
      Key: { pk: { S: `order-${at % KEYS}` } },
      UpdateExpression: 'SET #d = :d, #v = :v, #f = if_not_exists(#f, :v) REMOVE #x',
      ConditionExpression: 'attribute_not_exists(#v) OR #v < :v',
      ExpressionAttributeNames: {
        '#d': 'data',
        '#v': '_version',
        '#f': '_first',
        '#x': '_deleted',
      },
      ExpressionAttributeValues: {
        ':v': { S: String(round * UPDATES + at).padStart(12, '0') },
        ':d': { M: { total: { N: String(at) }, note: { S: 'x'.repeat(150) } } },
      },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    }),
  );
}

/** A quarter are quicker: what else the machine does makes rounds slow, and none quick. */
function quick(samples: readonly number[]): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 4)] ?? Number.NaN;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { ours, dynalite, bare } = await measure();
  const line = (what: string, of: (cost: Cost) => number): string =>
    `${what}: ${of(ours).toFixed(0)} µs ours, ${of(dynalite).toFixed(0)} µs dynalite, ` +
    `${of(bare).toFixed(0)} µs an answer of nothing: ${(of(dynalite) / of(ours)).toFixed(2)} × (goal 3 ×)`;
  console.log(line('a conditional update', ({ wallUs }) => wallUs));
  console.log(line('processor time of the server', ({ cpuUs }) => cpuUs));
}
