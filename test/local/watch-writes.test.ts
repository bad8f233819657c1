import { expect, test } from 'vitest';
import type { WireHandler } from '#local/contracts';
import { watchItemWrites, watchPuts } from '#local/watch-writes';
import type { ItemWriteSeen, PutSeen } from '#local/watch-writes';
import { ask } from '#test/local/ask';

const answering = (body: object, status = 200): WireHandler => ({
  handle: async () => ({ status, body: JSON.stringify(body) }),
});

async function puts(operation: string, input: object, output: object): Promise<PutSeen[]> {
  const found: PutSeen[] = [];
  const handler = watchPuts(answering(output), (put) => void found.push(put));
  const headers = { 'x-amz-target': `Kinesis_20131202.${operation}` };
  await ask(handler, 'POST', '/', { headers, body: JSON.stringify(input) });
  return found;
}

test('a put is told by shard: what was written, and what was throttled', async () => {
  const data = (text: string) => Buffer.from(text).toString('base64');
  const input = {
    StreamName: 'river',
    Records: [
      { PartitionKey: 'é', Data: data('12345') },
      { PartitionKey: 'b', Data: data('123') },
      { PartitionKey: 'c', Data: data('1') },
      { PartitionKey: 'd', Data: data('1234567') },
    ],
  };
  const output = {
    Records: [
      { ShardId: 'shardId-000000000000', SequenceNumber: '1' },
      { ShardId: 'shardId-000000000001', SequenceNumber: '2' },
      {
        ErrorCode: 'ProvisionedThroughputExceededException',
        ErrorMessage:
          'Rate exceeded for shard shardId-000000000001 in stream river under account 0.',
      },
      { ErrorCode: 'InternalFailure', ErrorMessage: 'Internal Service Failure' },
    ],
  };
  expect(await puts('PutRecords', input, output)).toEqual([
    { stream: 'river', shardId: 'shardId-000000000000', records: 1, bytes: 7, throttled: 0 },
    { stream: 'river', shardId: 'shardId-000000000001', records: 1, bytes: 4, throttled: 1 },
  ]);
});

test('a single put is told as one record, by ARN too', async () => {
  const input = {
    StreamARN: 'arn:aws:kinesis:us-east-1:0:stream/river',
    PartitionKey: 'k',
    Data: 'AAAA',
  };
  const output = { ShardId: 'shardId-000000000003', SequenceNumber: '9' };
  expect(await puts('PutRecord', input, output)).toEqual([
    { stream: 'river', shardId: 'shardId-000000000003', records: 1, bytes: 4, throttled: 0 },
  ]);
});

test('other operations are not read', async () => {
  expect(
    await puts('GetRecords', { StreamName: 'river' }, { Records: [{ ShardId: 'x' }] }),
  ).toEqual([]);
});

test.each([
  [200, {}, 'written'],
  [
    400,
    { __type: 'com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException' },
    'condition-failed',
  ],
  [400, { __type: 'com.amazonaws.dynamodb.v20120810#ValidationException' }, 'refused'],
])('an item’s write that is answered %i %j is %s', async (status, output, outcome) => {
  const found: ItemWriteSeen[] = [];
  const handler = watchItemWrites(answering(output, status), (write) => void found.push(write));
  const headers = { 'x-amz-target': 'DynamoDB_20120810.UpdateItem' };
  await ask(handler, 'POST', '/', { headers, body: '{"TableName":"rows"}' });
  expect(found).toEqual([{ table: 'rows', outcome }]);
});

test('the answer passes unchanged', async () => {
  const handler = watchPuts(answering({ any: 'thing' }, 418), () => undefined);
  const headers = { 'x-amz-target': 'Kinesis_20131202.PutRecord' };
  expect(await ask(handler, 'POST', '/', { headers, body: 'not JSON' })).toMatchObject({
    status: 418,
    text: '{"any":"thing"}',
  });
});
