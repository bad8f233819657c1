import { expect, test } from 'vitest';
import { readGivenUpDocument } from '#adapters/objects/given-up-document';

/** @source Lambda Developer Guide, "Retain discarded batch records for a Kinesis data stream …", example. */
const document = {
  requestContext: {
    requestId: 'c9b8fa9f-5a7f-xmpl-af9c-0c604cde93a5',
    functionArn: 'arn:aws:lambda:us-east-2:123456789012:function:myfunction',
    condition: 'RetryAttemptsExhausted',
    approximateInvokeCount: 1,
  },
  responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
  version: '1.0',
  timestamp: '2019-11-14T00:38:06.021Z',
  KinesisBatchInfo: {
    shardId: 'shardId-000000000001',
    startSequenceNumber: '49601189658422359378836298521827638475320189012309704722',
    endSequenceNumber: '49601189658422359378836298522902373528957594348623495186',
    approximateArrivalOfFirstRecord: '2019-11-14T00:38:04.835Z',
    approximateArrivalOfLastRecord: '2019-11-14T00:38:05.580Z',
    batchSize: 500,
    streamArn: 'arn:aws:kinesis:us-east-2:123456789012:stream/mystream',
  },
};
const event = {
  Records: [
    {
      eventID: 'shardId-000000000001:4951',
      kinesis: {
        sequenceNumber: '4951',
        partitionKey: 'lane',
        data: Buffer.from([0xff]).toString('base64'),
        approximateArrivalTimestamp: 1_573_691_884.835,
      },
    },
  ],
};
const placed = (change: object) => ({
  Records: [
    event.Records[0],
    { ...event.Records[0], kinesis: { ...event.Records[0]!.kinesis, ...change } },
  ],
});
const read = (value: unknown) => readGivenUpDocument(Buffer.from(JSON.stringify(value)));

test.each([
  ['as a text', JSON.stringify(event)],
  ['as JSON', event],
])('a document is read with its payload %s', (_how, payload) => {
  expect(read({ ...document, payload })).toEqual({
    functionName: 'myfunction',
    condition: 'RetryAttemptsExhausted',
    attempts: 1,
    atMs: Date.UTC(2019, 10, 14, 0, 38, 6, 21),
    records: [
      {
        shardId: 'shardId-000000000001',
        sequenceNumber: '4951',
        partitionKey: 'lane',
        data: Buffer.from([0xff]),
        arrivalTimeMs: 1_573_691_884_835,
      },
    ],
  });
});

test.each([
  ['without a payload', document],
  ['of another version', { ...document, version: '2.0', payload: event }],
  ['without records', { ...document, payload: { Records: [] } }],
  [
    'without the time of a record',
    { ...document, payload: placed({ approximateArrivalTimestamp: undefined }) },
  ],
  [
    'of a time that is none',
    { ...document, payload: placed({ approximateArrivalTimestamp: 1e15 }) },
  ],
  ['without a sequence number', { ...document, payload: placed({ sequenceNumber: undefined }) }],
  ['without a partition key', { ...document, payload: placed({ partitionKey: undefined }) }],
  ['of something else', { ...document, payload: { Records: [{ eventID: 'no shard' }] } }],
  ['that is none', 'a note'],
])('a document %s is not read', (_what, value) => {
  expect(read(value)).toBeUndefined();
});
