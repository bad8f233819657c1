/** Asks the emulator in the words of the wire, without a wire between. */
import { beforeEach, expect } from 'vitest';
import type { FaultPlan } from '#local/contracts';
import type { DynamoDb } from '#local/emulators/dynamodb/dynamodb';
import { createTestDynamo, START_MS } from './dynamo-cloud.ts';

export type Members = Readonly<Record<string, unknown>>;
export type Item = Readonly<Record<string, object>>;

/** An answer that is a refusal. */
export class Refusal extends Error {
  readonly members: Members;
  override readonly name: string;

  constructor(members: Members) {
    super(String(members['message']));
    this.members = members;
    this.name = String(members['__type']).replace(/^.*#/, '');
  }
}

export interface AskDynamo {
  readonly clock: { nowMs: number };
  dynamo: DynamoDb;
  /** Set by a test, and gone with it. */
  faults: FaultPlan;
  /** @throws {Refusal} */
  ask(operation: string, input: object): Promise<Members>;
  put(item: Item, table?: string): Promise<Members>;
  get(key: Item, table?: string): Promise<Item | undefined>;
  update(expression: string, values?: object, more?: object): Promise<Members>;
}

/** One for each test, with the tables of `createTestDynamo` and the key `{ pk: 'a' }` to update. */
export function askDynamo(): AskDynamo {
  const asker: AskDynamo = {
    clock: { nowMs: START_MS },
    dynamo: createTestDynamo({ nowMs: START_MS }),
    faults: {},
    async ask(operation, input) {
      const { status, body, hangUp } = await asker.dynamo.handle({
        method: 'POST',
        path: '/',
        query: new URLSearchParams(),
        headers: { 'x-amz-target': `DynamoDB_20120810.${operation}` },
        body: Buffer.from(JSON.stringify(input)),
      });
      if (hangUp === true) throw new Refusal({ __type: 'HangUp' });
      const members = JSON.parse(Buffer.from(body ?? '').toString()) as Members;
      if (status === 200) return members;
      throw new Refusal(members);
    },
    put: (Item, TableName = 'orders') => asker.ask('PutItem', { TableName, Item }),
    async get(Key, TableName = 'orders') {
      return (await asker.ask('GetItem', { TableName, Key }))['Item'] as Item | undefined;
    },
    update: (UpdateExpression, values, more = {}) =>
      asker.ask('UpdateItem', {
        TableName: 'orders',
        Key: { pk: { S: 'a' } },
        UpdateExpression,
        ...(values === undefined ? {} : { ExpressionAttributeValues: values }),
        ...more,
      }),
  };
  beforeEach(() => {
    asker.clock.nowMs = START_MS;
    asker.faults = {};
    asker.dynamo = createTestDynamo(asker.clock, {
      faults: {
        onTable: (...ask) => asker.faults.onTable?.(...ask),
        onBatchItem: (...ask) => asker.faults.onBatchItem?.(...ask),
      },
    });
  });
  return asker;
}

/** What `rejects.toMatchObject` takes: a refusal whose message has these words. */
export const invalid = (words: string, name = 'ValidationException') => ({
  name,
  message: expect.stringContaining(words) as string,
});

export const A = { pk: { S: 'a' } };
