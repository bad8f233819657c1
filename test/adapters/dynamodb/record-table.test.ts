import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { AttributeValue, UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import type { TableMode } from '#adapters/dynamodb/item-shape';
import { dynamoRecordTable } from '#adapters/dynamodb/record-table';
import type { JsonObject } from '#core/record/json';
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

const tableOver = (client: DynamoDBClient, mode: TableMode = 'replace') =>
  dynamoRecordTable(client, {
    tableName: 'penstock-dev-orders-audit',
    keyNames: ['order_id'],
    attributes: {},
    mode,
    tombstoneDays: 7,
    clock: { nowMs: () => 1_900_000_000_000, sleep: async () => {} },
  });
const event = eventOf({ key: '1', version: 4, observed: 9, data: { status: 'completed' } });

/** DynamoDB's answer when a condition fails on an item. */
const refuse = (Item: Record<string, AttributeValue>): never => {
  throw new ConditionalCheckFailedException({ message: 'no', $metadata: {}, Item });
};

const fail =
  (name: string, message: string, httpStatusCode = 400) =>
  () => {
    throw Object.assign(new Error(message), { name, $metadata: { httpStatusCode } });
  };

const first = (inputs: readonly Record<string, unknown>[]) =>
  inputs[0] as unknown as UpdateItemCommandInput;
const standing = (version: number, more: Record<string, AttributeValue> = {}) => ({
  order_id: { S: '1' },
  _version: { S: String(version).padStart(38, '0') },
  _observed: { S: '0000000001-0000000003' },
  ...more,
});

test('SINK-17: an update sends no empty map, and every name by its alias', async () => {
  const { client, inputs } = clientThat(() => ({}));
  expect(await tableOver(client).upsert(event)).toEqual({ kind: 'written' });
  expect(inputs).toHaveLength(1);
  const { Key, UpdateExpression, ConditionExpression, ...input } = first(inputs);
  expect(Key).toEqual({ order_id: { S: '1' } });
  expect(`${UpdateExpression} ${ConditionExpression}`).not.toMatch(/(?<![#:\w])(status|_\w+)/);
  expect(Object.values(input.ExpressionAttributeNames ?? {})).toContain('status');
  expect(Object.values(input.ExpressionAttributeValues ?? {})).toContainEqual({ S: 'completed' });
  expect(UpdateExpression).toContain('if_not_exists(#first,:first)');
});

test('in steady state a key costs one request, a shape that others wrote one more, once', async () => {
  const shapes: string[] = [];
  const { client, inputs } = clientThat(() => {
    const values = Object.values(inputs.at(-1)?.['ExpressionAttributeValues'] ?? {});
    const knows = values.some(({ S }) => S === 'another');
    if (!knows) refuse(standing(3, { _shape: { S: 'another' }, note: { S: 'gift' } }));
    shapes.push('written');
    return {};
  });
  const table = tableOver(client);
  await table.upsert(event);
  expect(inputs).toHaveLength(2);
  expect(Object.values(first(inputs.slice(1)).ExpressionAttributeNames ?? {})).toContain('note');
  await table.upsert({ ...event, subject: '2' });
  await table.upsert({ ...event, subject: '3' });
  expect(inputs).toHaveLength(4);
  expect(shapes).toHaveLength(3);
});

test('what stands in the way is written over as it was seen, again for each writer that was faster', async () => {
  const before = [standing(1), standing(2, { _shape: { S: 'x' } }), {}, undefined];
  const { client, inputs } = clientThat(() => {
    const item = before.shift();
    if (item !== undefined) refuse(item);
    return {};
  });
  expect(await tableOver(client).upsert(event)).toEqual({ kind: 'written' });
  expect(inputs.slice(1).map((input) => input['ConditionExpression'])).toEqual([
    '#version = :version AND #observed = :observed AND attribute_not_exists(#shape)',
    '#version = :version AND #observed = :observed AND #shape = :shape',
    'attribute_not_exists(#version)',
  ]);
});

test('beside other writers an item that has none of our versions keeps what they wrote, however it came there', async () => {
  // The older version expires, and somebody writes, between our two requests.
  const before = [
    standing(1, { _shape: { S: '["note"]' }, note: { S: 'x' } }),
    { rating: { S: '5' } },
  ];
  const { client, inputs } = clientThat(() => {
    const item = before.shift();
    if (item !== undefined) refuse(item);
    return {};
  });
  expect(await tableOver(client, 'merge').upsert(event)).toEqual({ kind: 'written' });
  const namesOf = (at: number) => Object.values(inputs[at]?.['ExpressionAttributeNames'] ?? {});
  expect(namesOf(1)).toContain('note');
  expect(namesOf(2)).not.toContain('rating');
});

test.each([4, 5])('a failed condition is a success where version %i stands', async (version) => {
  const { client, inputs } = clientThat(() =>
    refuse({ ...standing(version), _observed: { S: '0000000001-0000000009' } }),
  );
  expect(await tableOver(client).upsert(event)).toEqual({ kind: 'stale' });
  expect(inputs).toHaveLength(1);
});

test('an expression is never longer than DynamoDB takes', async () => {
  const wide = (prefix: string, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`${prefix}${at}`, at]));
  const { client, inputs } = clientThat(() => ({}));
  const table = tableOver(client);
  for (const prefix of ['a', 'b', 'c', 'd']) {
    await table.upsert({ ...event, data: wide(prefix, 200) });
  }
  const lengths = inputs.map((input) => String(input['UpdateExpression']).length);
  expect(Math.max(...lengths)).toBeGreaterThan(3_000);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(4_096);
  await table.upsert({ ...event, data: wide('e', 201) });
  expect(inputs.at(-1)).toMatchObject({ Item: { e0: { N: '0' } } });
});

test('beside other writers a record of more than 200 members is refused in one sentence', async () => {
  const { client, inputs } = clientThat(() => ({}));
  const members = Array.from({ length: 201 }, (_, at) => [`m${at}`, at]);
  const data = Object.fromEntries(members) as JsonObject;
  expect(await tableOver(client, 'merge').upsert({ ...event, data })).toEqual({
    kind: 'refused',
    reason: 'item-too-large',
    detail: 'the record has 201 members on top; beside other writers a table takes 200',
  });
  expect(inputs).toEqual([]);
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
  ['ProvisionedThroughputExceededException', 'Rate of requests exceeds', 400, true, true],
  ['ThrottlingException', 'Rate exceeded', 400, true, true],
  ['InternalServerError', 'Item size exceeded patience', 500, true],
])('%s is thrown with its verdict', async (name, message, status, retryable, throttled = false) => {
  const { client } = clientThat(fail(name, message, status));
  await expect(tableOver(client).upsert(event)).rejects.toMatchObject({
    retryable,
    throttled,
    message: expect.stringContaining('penstock-dev-orders-audit'),
  });
});
