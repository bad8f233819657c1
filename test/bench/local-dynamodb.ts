/** Conditional updates over HTTP: ours, dynalite and a server that does nothing, in one run, by turns. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { jsonRequest, openRawClient } from './raw-client.ts';
import type { RawClient } from './raw-client.ts';
import type { Row } from './row.ts';

const ROUNDS = 9;
const UPDATES = 3_000;
const KEYS = 500;
const SOCKETS = 8;
const AT_ONCE = 1;
const TARGET = 'DynamoDB_20120810';

interface Server {
  readonly name: 'ours' | 'dynalite' | 'bare';
  readonly client: RawClient;
  /** Updates in a second, by round. */
  readonly perSec: number[];
  stop(): void;
}

/** Less is better: how long ours takes of what dynalite takes. */
export async function dynamodbRows(): Promise<readonly Row[]> {
  const { ours, dynalite } = await measure();
  return [
    {
      what: 'a conditional update over HTTP ÷ the same of dynalite',
      unit: '×',
      value: dynalite / ours,
      bound: 1 / 3,
    },
  ];
}

/** Updates in a second, the median of the rounds. */
async function measure(): Promise<Readonly<Record<Server['name'], number>>> {
  const servers = [await start('ours'), await start('dynalite'), await start('bare')];
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const requests = updatesOf(round);
      for (const { client, perSec } of servers) {
        perSec.push((UPDATES / (await client.send(requests))) * 1_000);
      }
    }
  } finally {
    for (const { stop } of servers) stop();
  }
  const [ours = Number.NaN, dynalite = Number.NaN, bare = Number.NaN] = servers.map(({ perSec }) =>
    median(perSec),
  );
  return { ours, dynalite, bare };
}

async function start(name: Server['name']): Promise<Server> {
  const child = spawn(process.execPath, ['test/bench/local-dynamodb-server.ts', name], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
  const client = await openRawClient(Number(chunk.toString()), {
    sockets: SOCKETS,
    atOnce: AT_ONCE,
  });
  await client.send([
    jsonRequest(`${TARGET}.CreateTable`, {
      TableName: 'orders',
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      BillingMode: 'PAY_PER_REQUEST',
    }),
  ]);
  await new Promise((resolve) => setTimeout(resolve, 200));
  return {
    name,
    client,
    perSec: [],
    stop() {
      client.close();
      child.kill();
    },
  };
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

function median(samples: readonly number[]): number {
  return samples.toSorted((a, b) => a - b)[Math.floor(samples.length / 2)] ?? Number.NaN;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { ours, dynalite, bare } = await measure();
  const beyond = (1 / dynalite - 1 / bare) / (1 / ours - 1 / bare);
  console.log(
    `conditional updates a second: ${ours.toFixed(0)} ours, ${dynalite.toFixed(0)} dynalite, ` +
      `${bare.toFixed(0)} answers of nothing: ${(ours / dynalite).toFixed(2)} × (goal 3 ×), ` +
      `beyond an answer of nothing ${beyond.toFixed(2)} ×`,
  );
}
