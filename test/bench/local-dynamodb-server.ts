/** `node test/bench/local-dynamodb-server.ts ours|dynalite|bare`: serves DynamoDB, or nothing; tells its port, and its processor time when asked. */
import { createRequire } from 'node:module';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createDynamoDb } from '#local/emulators/dynamodb/dynamodb';
import { openStorage } from '#local/storage';
import { SYSTEM_CLOCK } from '#local/system-clock';
import { openWire } from '#local/wire';

const SERVERS: Readonly<Record<string, () => Promise<number>>> = {
  ours: serveOurs,
  dynalite: serveDynalite,
  bare: serveNothing,
};
const port = await SERVERS[process.argv[2] ?? '']?.();
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuUs: user + system });
});
process.on('disconnect', () => process.exit());
process.send?.({ port });

async function serveOurs(): Promise<number> {
  const place = { storage: openStorage(), clock: SYSTEM_CLOCK, region: 'us-east-1' };
  const dynamo = createDynamoDb({ ...place, accountId: '000000000000' });
  const { port } = await openWire({ targets: { [dynamo.target]: dynamo }, paths: [] });
  return port;
}

async function serveDynalite(): Promise<number> {
  // Without types of its own.
  const dynalite = createRequire(import.meta.url)('dynalite') as (options: object) => Server;
  return listen(dynalite({ createTableMs: 0 }));
}

/** Reads a request and answers, as ours writes its answers: what no server can do without. */
async function serveNothing(): Promise<number> {
  return listen(
    createServer((request, response) => {
      request.resume().on('end', () => {
        setImmediate(() => response.writeHead(200, { 'content-length': 2 }).end('{}'));
      });
    }),
  );
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
