/** A DynamoDB on loopback, with a clock that tests move and the real client to ask it. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import type { FaultPlan, Storage } from '#local/contracts';
import { createDynamoDb } from '#local/emulators/dynamodb/dynamodb';
import type { DynamoDb } from '#local/emulators/dynamodb/dynamodb';
import { openStorage } from '#local/storage';
import { openWire } from '#local/wire';

export interface TestDynamo {
  readonly client: DynamoDBClient;
  readonly dynamo: DynamoDb;
  readonly url: string;
  readonly clock: { nowMs: number };
  close(): Promise<void>;
}

export const START_MS = Date.UTC(2026, 10, 2, 8, 0, 0);

/** The emulator with two tables: `orders` by `pk`, and `events` by `pk` and the number `at`. */
export function createTestDynamo(
  clock: { nowMs: number },
  options: { faults?: FaultPlan; storage?: Storage } = {},
): DynamoDb {
  const { storage = openStorage(), faults = {} } = options;
  const dynamo = createDynamoDb({
    storage,
    faults,
    clock: { nowMs: () => clock.nowMs, setTimer: () => () => undefined },
    region: 'eu-west-1',
    accountId: '123456789012',
  });
  dynamo.createTable({
    TableName: 'orders',
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    TimeToLiveSpecification: { AttributeName: '_expires', Enabled: true },
  });
  dynamo.createTable({
    TableName: 'events',
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'at', KeyType: 'RANGE' },
    ],
    AttributeDefinitions: [
      { AttributeName: 'pk', AttributeType: 'S' },
      { AttributeName: 'at', AttributeType: 'N' },
    ],
  });
  return dynamo;
}

export async function openTestDynamo(
  options: { faults?: FaultPlan; storage?: Storage } = {},
): Promise<TestDynamo> {
  const clock = { nowMs: START_MS };
  const dynamo = createTestDynamo(clock, options);
  const wire = await openWire({ targets: { [dynamo.target]: dynamo }, paths: [] });
  const client = new DynamoDBClient({
    endpoint: wire.url,
    region: 'eu-west-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
    requestHandler: new NodeHttpHandler(),
  });
  return {
    client,
    dynamo,
    url: wire.url,
    clock,
    async close() {
      client.destroy();
      await wire.close();
    },
  };
}
