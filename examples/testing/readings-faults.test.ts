/** The same stack in no time: its function in this process, by a clock that is stepped, with faults. */
import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { KinesisClient, PutRecordCommand } from '@aws-sdk/client-kinesis';
import { App } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { expect, onTestFinished, test } from 'vitest';
import { startCloud } from '#local/cloud';
import { steppedClock } from '#local/kit/stepped-clock';
import { keepNewestWith } from './keep-newest.ts';
import { ReadingsStack } from './readings-stack.ts';

async function start(seed: number) {
  const cloud = await startCloud({
    template: Template.fromStack(new ReadingsStack(new App(), 'readings')).toJSON(),
    port: false,
    clock: steppedClock(Date.UTC(2026, 0, 5)),
    seed,
    handlers: {
      Keep: (event: Parameters<ReturnType<typeof keepNewestWith>>[0]) =>
        keepNewestWith(new DynamoDBClient({ requestHandler: cloud.requestHandler }))(event),
    },
  });
  onTestFinished(() => cloud.stop());
  return cloud;
}

test('every sensor is in the table, whatever the table refuses and whenever the function dies', async () => {
  const { client, faults, resources, untilIdle } = await start(7);
  faults.add({ kind: 'throttle-table', operation: 'PutItem', share: 0.3 });
  faults.add({ kind: 'kill-function', intoMs: 0, times: 2 });
  const kinesis = new KinesisClient(client);
  for (let n = 0; n < 20; n++) {
    const Data = Buffer.from(JSON.stringify({ sensor: `s${n}`, celsius: n, at: 1 }));
    const [StreamName] = resources['AWS::Kinesis::Stream'] ?? [];
    await kinesis.send(new PutRecordCommand({ StreamName, PartitionKey: `s${n}`, Data }));
  }
  await untilIdle();
  faults.clear();
  const [TableName] = resources['AWS::DynamoDB::Table'] ?? [];
  const { Count } = await new DynamoDBClient(client).send(new ScanCommand({ TableName }));
  expect(Count).toBe(20);
});
