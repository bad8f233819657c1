/** The stack as it would be deployed: its template, and its function bundled, in its own process. */
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { KinesisClient, PutRecordCommand } from '@aws-sdk/client-kinesis';
import { App } from 'aws-cdk-lib';
import { expect, test } from 'vitest';
import { cloudFor } from '#local/kit/vitest';
import { ReadingsStack } from './readings-stack.ts';

const cloud = cloudFor(() => {
  const app = new App();
  new ReadingsStack(app, 'readings');
  return { cdkOut: app.synth() };
});

test('the newest reading of a sensor is in the table, though an older one came later', async () => {
  const { client, resources, untilIdle } = cloud();
  const [StreamName, TableName] = [
    resources['AWS::Kinesis::Stream']?.[0],
    resources['AWS::DynamoDB::Table']?.[0],
  ];
  const kinesis = new KinesisClient(client);
  for (const [celsius, at] of [
    [21.5, 1_000],
    [19.5, 900],
  ]) {
    const Data = Buffer.from(JSON.stringify({ sensor: 'roof', celsius, at }));
    await kinesis.send(new PutRecordCommand({ StreamName, PartitionKey: 'roof', Data }));
  }
  await untilIdle();
  const Key = { sensor: { S: 'roof' } };
  const { Item } = await new DynamoDBClient(client).send(new GetItemCommand({ TableName, Key }));
  expect(Item).toMatchObject({ celsius: { N: '21.5' } });
});
