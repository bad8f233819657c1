import { expect } from 'vitest';
import { ruleTest } from '#test/local/rules/rule-test';
import { A, askDynamo } from './ask-dynamo.ts';

const dynamo = askDynamo();

for (const [operation, input] of [
  ['PutItem', { Item: A }],
  ['UpdateItem', { Key: A }],
  ['DeleteItem', { Key: A }],
  ['GetItem', { Key: A }],
  ['Scan', {}],
  ['Query', { KeyConditionExpression: 'pk = :a', ExpressionAttributeValues: { ':a': { S: 'a' } } }],
] as const) {
  ruleTest(
    'dynamodb',
    'throttled',
    async () => {
      dynamo.faults = { onTable: (_, asked) => (asked === operation ? 'throttle' : undefined) };
      await expect(dynamo.ask(operation, { TableName: 'orders', ...input })).rejects.toMatchObject({
        name: 'ProvisionedThroughputExceededException',
        message: expect.stringContaining('Throughput exceeds the current capacity') as string,
      });
      dynamo.faults = {};
      expect((await dynamo.ask('Scan', { TableName: 'orders' }))['Count']).toBe(0);
    },
    operation,
  );
}

ruleTest(
  'dynamodb',
  'throttled',
  async () => {
    dynamo.dynamo.createTable({
      TableName: 'paid',
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 5 },
    });
    dynamo.faults = { onTable: () => 'throttle' };
    await expect(dynamo.put(A, 'paid')).rejects.toThrow(
      'The level of configured provisioned throughput for the table was exceeded. Consider increasing your provisioning level with the UpdateTable API.',
    );
  },
  'a table paid by its capacity, in other words',
);

for (const [operation, input] of [
  ['PutItem', { TableName: 'orders', Item: A }],
  ['UpdateItem', { TableName: 'orders', Key: A }],
  ['BatchWriteItem', { RequestItems: { orders: [{ PutRequest: { Item: A } }] } }],
  ['TransactWriteItems', { TransactItems: [{ Put: { TableName: 'orders', Item: A } }] }],
] as const) {
  ruleTest(
    'dynamodb',
    'lost-answer',
    async () => {
      dynamo.faults = {
        onTable: (_, asked) => (asked === operation ? 'timeout-after-write' : undefined),
      };
      await expect(dynamo.ask(operation, input)).rejects.toMatchObject({ name: 'HangUp' });
      expect(await dynamo.get(A)).toEqual(A);
    },
    operation,
  );
}
