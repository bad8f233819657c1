import { expect, test, vi } from 'vitest';
import type { PipelineSettings } from '#config/pipeline-settings';
import { consumeHandler } from '#functions/consume/handler';
import { batch, context, stubAws } from '#test/functions/stub-aws';
import { eventOf } from '#test/pipeline/consume-world';

const settings = {
  name: 'orders',
  record: { key: 'order.order_id' },
  consumers: [
    {
      kind: 'table',
      name: 'audit',
      concurrency: 3,
      batchesPerShard: 1,
      breaker: { percent: 50, recordsMin: 50 },
      mode: 'replace',
      attributes: {},
      tombstoneDays: 7,
    },
  ],
} as unknown as PipelineSettings;

const order = (key: string) => JSON.stringify(eventOf({ key, version: 4 }));

test('a batch is written, its poison is set aside, its place is saved', async () => {
  const calls = await stubAws(() => ({ status: 200 }));
  const handler = consumeHandler(settings, 'audit');
  expect(await handler(batch(order('a'), '%%%', order('b')), context)).toEqual({
    batchItemFailures: [],
  });
  expect(calls.map(({ what }) => what).sort()).toEqual([
    'GetItem',
    'PUT /penstock-dev-orders-refused-123456789012-eu-west-1/audit/not-json/2030/03/17/' +
      'shardId-000000000004-10.json',
    'UpdateItem',
    'UpdateItem',
    'UpdateItem',
  ]);
  expect(calls.at(-1)).toMatchObject({
    what: 'UpdateItem',
    body: {
      TableName: 'penstock-dev-state',
      Key: { pk: { S: 'checkpoint#orders#audit' }, sk: { S: 'shardId-000000000004' } },
    },
  });
  expect(calls.find(({ what }) => what === 'UpdateItem')?.body).toMatchObject({
    TableName: 'penstock-dev-orders-audit',
    Key: { order_id: { S: expect.stringMatching(/^[ab]$/) } },
  });
});

test('a refused condition is success; a table that is not there returns its records', async () => {
  await stubAws(({ what, body }) => {
    if (what !== 'UpdateItem') return { status: 200 };
    const isA = JSON.stringify(body['Key']).includes('"S":"a"');
    const type = isA ? 'ConditionalCheckFailedException' : 'ResourceNotFoundException';
    const Item = { _version: { S: '9'.repeat(38) }, _observed: { S: '1' } };
    return { status: 400, body: { __type: `com.amazonaws.dynamodb.v20120810#${type}`, Item } };
  });
  const handler = consumeHandler(settings, 'audit');
  expect(await handler(batch(order('a'), order('b')), context)).toEqual({
    batchItemFailures: [{ itemIdentifier: '10' }],
  });
});

test('a consumer that its pipeline does not have is a defect', async () => {
  await stubAws(() => ({ status: 200 }));
  expect(() => consumeHandler(settings, 'other')).toThrow(/a consumer of its pipeline/);
});

test.each([
  'PENSTOCK_CODE',
  'PENSTOCK_TABLE',
  'PENSTOCK_STATE_TABLE',
  'PENSTOCK_QUARANTINE_BUCKET',
  'AWS_LAMBDA_FUNCTION_NAME',
])('without %s the function says so and does not start', async (name) => {
  await stubAws(() => ({ status: 200 }));
  vi.stubEnv(name, '');
  expect(() => consumeHandler(settings, 'audit')).toThrow(
    `${name} is not set: the template should set it`,
  );
});
