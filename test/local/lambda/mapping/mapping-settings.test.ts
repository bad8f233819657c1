import { expect, test } from 'vitest';
import { parseMapping } from '#local/lambda/mapping/mapping-settings';
import { START_MS, STREAM_ARN } from './mapping-bench.ts';

const LEAST = {
  FunctionName: 'consume',
  EventSourceArn: STREAM_ARN,
  StartingPosition: 'TRIM_HORIZON',
};
const parse = (properties: object) => parseMapping({ ...LEAST, ...properties }, START_MS);

test('what is left out is as AWS has it', () => {
  expect(parse({})).toEqual({
    functionName: 'consume',
    streamArn: STREAM_ARN,
    streamName: 'penstock-dev-orders',
    isEnabled: true,
    batchSize: 100,
    batchingWindowSec: 0,
    parallelizationFactor: 1,
    startingPosition: { kind: 'trim-horizon' },
    reportsItemFailures: false,
    retryAttemptsMax: undefined,
    recordAgeSecMax: undefined,
    bisects: false,
    failureBucket: undefined,
    countsEvents: false,
  });
});

test('each property has a place of its own', () => {
  const settings = parse({
    FunctionName: 'arn:aws:lambda:eu-west-1:000000000000:function:consume-2',
    BatchSize: 17,
    MaximumBatchingWindowInSeconds: 3,
    ParallelizationFactor: '5',
    MaximumRetryAttempts: 0,
    MaximumRecordAgeInSeconds: 3600,
    BisectBatchOnFunctionError: true,
    FunctionResponseTypes: ['ReportBatchItemFailures'],
    StartingPosition: 'AT_TIMESTAMP',
    StartingPositionTimestamp: 1_700_000_000,
    DestinationConfig: { OnFailure: { Destination: 'arn:aws:s3:::quarantine' } },
    MetricsConfig: { Metrics: ['EventCount'] },
    Enabled: 'false',
    Tags: [],
  });
  expect(settings).toMatchObject({
    functionName: 'consume-2',
    isEnabled: false,
    batchSize: 17,
    batchingWindowSec: 3,
    parallelizationFactor: 5,
    startingPosition: { kind: 'at-timestamp', timestampMs: 1_700_000_000_000 },
    reportsItemFailures: true,
    retryAttemptsMax: 0,
    recordAgeSecMax: 3600,
    bisects: true,
    failureBucket: 'quarantine',
    countsEvents: true,
  });
});

test.each([
  [{ TumblingWindowInSeconds: 60 }, /TumblingWindowInSeconds is not done by the local cloud/],
  [{ FilterCriteria: { Filters: [] } }, /FilterCriteria is not done/],
  [{ KmsKeyArn: 'arn:aws:kms:::key' }, /KmsKeyArn is not done/],
  [{ BatchSize: 0 }, /BatchSize is 0, not 1 to 10000/],
  [{ BatchSize: 10_001 }, /BatchSize/],
  [{ BatchSize: 'many' }, /BatchSize is "many"/],
  [{ ParallelizationFactor: 11 }, /ParallelizationFactor is 11, not 1 to 10/],
  [{ MaximumBatchingWindowInSeconds: 301 }, /Window/],
  [{ MaximumRetryAttempts: -2 }, /MaximumRetryAttempts/],
  [{ MaximumRecordAgeInSeconds: 59 }, /not -1 or 60 to 604800/],
  [{ StartingPosition: 'SOMEWHERE' }, /StartingPosition "SOMEWHERE"/],
  [{ StartingPosition: undefined }, /StartingPosition undefined/],
  [{ StartingPosition: 'AT_TIMESTAMP' }, /StartingPositionTimestamp is absent/],
  [
    { StartingPosition: 'AT_TIMESTAMP', StartingPositionTimestamp: START_MS / 1000 + 1 },
    /in the future/,
  ],
  [{ StartingPositionTimestamp: 1 }, /only for AT_TIMESTAMP/],
  [{ FunctionResponseTypes: ['Report'] }, /FunctionResponseTypes/],
  [{ EventSourceArn: 'arn:aws:sqs:eu-west-1:000000000000:queue' }, /is not a stream/],
  [
    { DestinationConfig: { OnFailure: { Destination: 'arn:aws:sqs:eu-west-1:000000000000:q' } } },
    /is not a failure bucket/,
  ],
])('%j is refused', (properties, message) => {
  expect(() => parse(properties)).toThrow(message);
});

test('every fault is told at once', () => {
  expect(() => parse({ BatchSize: 0, FilterCriteria: {}, FunctionName: '' })).toThrow(
    /FilterCriteria.*FunctionName.*BatchSize/,
  );
});
