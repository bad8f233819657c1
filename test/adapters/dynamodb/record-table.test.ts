import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { dynamoRecordTable } from '#adapters/dynamodb/record-table';
import { eventOf } from '#test/pipeline/consume-world';

/** A client that answers as told, and keeps what it was asked. */
function clientThat(answers: () => unknown) {
  const inputs: Record<string, unknown>[] = [];
  const client = {
    send: async ({ input }: { input: Record<string, unknown> }) => {
      inputs.push(input);
      return answers();
    },
  };
  return { client: client as unknown as DynamoDBClient, inputs };
}

const tableOver = (client: DynamoDBClient) =>
  dynamoRecordTable(client, {
    tableName: 'penstock-dev-orders-audit',
    keyName: 'order_id',
    tombstoneDays: 7,
    clock: { nowMs: () => 1_900_000_000_000, sleep: async () => {} },
  });
const event = eventOf({ key: '1', version: 4, observed: 9, data: { status: 'completed' } });

const fail =
  (name: string, message: string, httpStatusCode = 400) =>
  () => {
    throw Object.assign(new Error(message), { name, $metadata: { httpStatusCode } });
  };

test('SINK-17: a put sends no empty map, and every name by its alias', async () => {
  const { client, inputs } = clientThat(() => ({}));
  expect(await tableOver(client).upsert(event)).toEqual({ kind: 'written' });
  expect(inputs).toEqual([
    {
      TableName: 'penstock-dev-orders-audit',
      Item: expect.objectContaining({ order_id: { S: '1' }, status: { S: 'completed' } }),
      ConditionExpression: 'attribute_not_exists(#v) OR #v < :v OR (#v = :v AND #o < :o)',
      ExpressionAttributeNames: { '#v': '_version', '#o': '_observed' },
      ExpressionAttributeValues: {
        ':v': { S: '00000000000000000000000000000000000004' },
        ':o': { S: '0000000001-0000000009' },
      },
    },
  ]);
});

test('a failed condition is a success: the table holds an equal or newer version', async () => {
  const failed = new ConditionalCheckFailedException({ message: 'no', $metadata: {} });
  const { client } = clientThat(() => {
    throw failed;
  });
  expect(await tableOver(client).upsert(event)).toEqual({ kind: 'stale' });
});

test('what cannot be an item is refused without asking', async () => {
  const { client, inputs } = clientThat(() => ({}));
  const large = { ...event, data: { note: 'x'.repeat(410_000) } };
  expect(await tableOver(client).upsert(large)).toMatchObject({ reason: 'item-too-large' });
  expect(inputs).toEqual([]);
});

test.each([
  ['Item size has exceeded the maximum allowed size', 'item-too-large'],
  ['Nesting Levels have exceeded supported limits', 'nested-too-deep'],
  [
    'Number overflow. Attempting to store a number with magnitude larger than …',
    'number-out-of-range',
  ],
  ['Attempting to store more than 38 significant digits in a Number', 'number-out-of-range'],
])('when DynamoDB says "%s" the record is refused', async (message, reason) => {
  const { client } = clientThat(fail('ValidationException', message));
  expect(await tableOver(client).upsert(event)).toMatchObject({ kind: 'refused', reason });
});

test.each([
  ['ValidationException', 'The provided key element does not match the schema', 400, false],
  ['ResourceNotFoundException', 'Requested resource not found', 400, false],
  ['ProvisionedThroughputExceededException', 'Rate of requests exceeds', 400, true],
  ['ThrottlingException', 'Rate exceeded', 400, true],
  ['InternalServerError', 'Item size exceeded patience', 500, true],
])('%s is thrown with its verdict', async (name, message, status, retryable) => {
  const { client } = clientThat(fail(name, message, status));
  await expect(tableOver(client).upsert(event)).rejects.toMatchObject({
    retryable,
    message: expect.stringContaining('penstock-dev-orders-audit'),
  });
});
