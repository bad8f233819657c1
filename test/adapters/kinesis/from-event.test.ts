import type { KinesisStreamEvent } from 'aws-lambda';
import { expect, test } from 'vitest';
import { fromKinesisEvent } from '#adapters/kinesis/from-event';

/** @source Lambda developer guide, "Using AWS Lambda with Amazon Kinesis", example event. */
const event = {
  Records: [
    {
      kinesis: {
        kinesisSchemaVersion: '1.0',
        partitionKey: 'order-1',
        sequenceNumber: '49590338271490256608559692538361571095921575989136588898',
        data: 'SGVsbG8sIHRoaXMgaXMgYSB0ZXN0Lg==',
        approximateArrivalTimestamp: 1545084650.987,
      },
      eventSource: 'aws:kinesis',
      eventVersion: '1.0',
      eventID: 'shardId-000000000006:49590338271490256608559692538361571095921575989136588898',
      eventName: 'aws:kinesis:record',
      invokeIdentityArn: 'arn:aws:iam::123456789012:role/lambda-role',
      awsRegion: 'us-east-2',
      eventSourceARN: 'arn:aws:kinesis:us-east-2:123456789012:stream/orders',
    },
  ],
} satisfies KinesisStreamEvent;

test('a record has its shard, its bytes and its arrival in milliseconds', () => {
  expect(fromKinesisEvent(event)).toEqual([
    {
      shardId: 'shardId-000000000006',
      sequenceNumber: '49590338271490256608559692538361571095921575989136588898',
      partitionKey: 'order-1',
      data: Buffer.from('Hello, this is a test.'),
      arrivalTimeMs: 1_545_084_650_987,
    },
  ]);
});

test.each(['no-colon', ':1', ''])('an event with the id %j is a defect', (eventID) => {
  const [record] = event.Records;
  expect(() => fromKinesisEvent({ Records: [{ ...record!, eventID }] })).toThrow(/its shard/);
});
