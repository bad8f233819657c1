/** Keeps each sensor's newest reading, in whatever order they come. */
import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { KinesisStreamEvent } from 'aws-lambda';

interface Reading {
  readonly sensor: string;
  readonly celsius: number;
  readonly at: number;
}

/** Apart from `handler`, so that a test can give it another client. */
export const keepNewestWith =
  (dynamodb: DynamoDBClient) =>
  async (event: KinesisStreamEvent): Promise<void> => {
    for (const { kinesis } of event.Records) {
      const reading = JSON.parse(Buffer.from(kinesis.data, 'base64').toString()) as Reading;
      await keep(dynamodb, reading);
    }
  };

async function keep(dynamodb: DynamoDBClient, { sensor, celsius, at }: Reading): Promise<void> {
  const put = new PutItemCommand({
    TableName: process.env['TABLE'],
    Item: { sensor: { S: sensor }, celsius: { N: String(celsius) }, at: { N: String(at) } },
    ConditionExpression: 'attribute_not_exists(sensor) OR #at < :at',
    ExpressionAttributeNames: { '#at': 'at' },
    ExpressionAttributeValues: { ':at': { N: String(at) } },
  });
  try {
    await dynamodb.send(put);
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

export const handler = keepNewestWith(new DynamoDBClient({}));
