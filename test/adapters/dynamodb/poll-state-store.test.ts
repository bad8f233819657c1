import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import { dynamoPollStateStore } from '#adapters/dynamodb/poll-state-store';
import { testClock } from '#test/pipeline/poll-world';

const lease = { pipeline: 'orders', epoch: 3, untilMs: 1 };
const FAILED = { outcome: 'failed', atMs: 9, succeeded: false, detail: 'the source is down' };

/** A client that answers every command by script, before anything is sent. */
function storeOver(answer: object | Error) {
  const inputs: UpdateItemCommandInput[] = [];
  const client = new DynamoDBClient({
    region: 'eu-central-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 's' },
  });
  client.middlewareStack.add(
    () => async (args) => {
      inputs.push(args.input as UpdateItemCommandInput);
      if (answer instanceof Error) throw answer;
      return { output: { $metadata: {}, ...answer }, response: {} };
    },
    { step: 'initialize' },
  );
  const clock = testClock(7_000);
  return {
    store: dynamoPollStateStore(client, { tableName: 'penstock-dev-state', clock }),
    inputs,
  };
}

function standing(Item: Record<string, { N: string }>) {
  return new ConditionalCheckFailedException({ message: 'no', $metadata: {}, Item });
}

describe('every write', () => {
  test('is one update of the pipeline’s item, with all names aliased', async () => {
    const { store, inputs } = storeOver({ Attributes: {} });
    await store.acquire({ pipeline: 'orders', nowMs: 5, leaseMs: 60_000 });
    await store.save(lease, { cursor: '{}', notBeforeMs: 11 }, 13);
    await store.release(lease);
    await store.release(lease, FAILED);
    await store.release(lease, { ...FAILED, succeeded: true, detail: undefined });
    expect(inputs).toHaveLength(5);
    for (const input of inputs) {
      expect(input).toMatchObject({
        TableName: 'penstock-dev-state',
        Key: { pk: { S: 'poll#orders' }, sk: { S: 'state' } },
      });
      const text = `${input.UpdateExpression} ${input.ConditionExpression}`;
      const used = new Set(text.match(/[#:]\w+/g));
      const given = [
        ...Object.keys(input.ExpressionAttributeNames ?? {}),
        ...Object.keys(input.ExpressionAttributeValues ?? {}),
      ];
      // DynamoDB refuses a name or value that is used and not given, or given and not used.
      expect([...used].toSorted()).toEqual(given.toSorted());
    }
  });

  test('after the lease was taken is fenced by its epoch', async () => {
    const { store, inputs } = storeOver({ Attributes: {} });
    await store.save(lease, { cursor: '{}', notBeforeMs: 11 }, 13);
    await store.release(lease, FAILED);
    for (const input of inputs) {
      expect(input.ConditionExpression).toBe('#epoch = :epoch');
      expect(input.ExpressionAttributeValues?.[':epoch']).toEqual({ N: '3' });
    }
    expect(inputs[0]?.ExpressionAttributeValues).toMatchObject({
      ':cursor': { S: '{}' },
      ':notBefore': { N: '11' },
      ':until': { N: '13' },
      ':now': { N: '7000' },
    });
  });

  test('leaves a cursor alone where there is none to save', async () => {
    const { store, inputs } = storeOver({ Attributes: {} });
    await store.save(lease, { cursor: undefined, notBeforeMs: 0 }, 13);
    expect(inputs[0]?.UpdateExpression).not.toContain('#cursor');
  });
});

describe('a condition that fails', () => {
  test('is a lease that another holds', async () => {
    const { store } = storeOver(standing({ v: { N: '1' }, leaseUntilMs: { N: '99' } }));
    const ask = { pipeline: 'orders', nowMs: 5, leaseMs: 60_000 };
    expect(await store.acquire(ask)).toEqual({ kind: 'held', untilMs: 99 });
    expect(await store.save(lease, { cursor: '{}', notBeforeMs: 0 }, 13)).toBeUndefined();
    await expect(store.release(lease)).resolves.toBeUndefined();
  });

  test('on an item of a newer form stops with one sentence', async () => {
    const { store } = storeOver(standing({ v: { N: '2' }, leaseUntilMs: { N: '0' } }));
    await expect(store.acquire({ pipeline: 'orders', nowMs: 5, leaseMs: 1 })).rejects.toThrow(
      'the poll state of orders has form 2, this Penstock reads up to 1: deploy the newer one',
    );
  });
});

test.each([
  ['ThrottlingException', 400, true],
  ['InternalServerError', 500, true],
  ['ResourceNotFoundException', 400, false],
])('%s with status %i is an error with its verdict', async (name, httpStatusCode, retryable) => {
  const error = Object.assign(new Error('no'), { name, $metadata: { httpStatusCode } });
  await expect(storeOver(error).store.release(lease)).rejects.toMatchObject({
    retryable,
    message: `writing the state of orders to the table penstock-dev-state: ${name}: no`,
  });
});
