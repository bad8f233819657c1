import { expect, test } from 'vitest';
import type { MappingError } from '#local/lambda/mapping/mapping-error';
import { parseMapping } from '#local/lambda/mapping/mapping-settings';
import { ruleTest } from '#test/local/rules/rule-test';
import { START_MS, STREAM_ARN } from './mapping-bench.ts';

const LEAST = {
  FunctionName: 'consume',
  EventSourceArn: STREAM_ARN,
  StartingPosition: 'TRIM_HORIZON',
};
const parse = (properties: object) => parseMapping({ ...LEAST, ...properties }, START_MS);

ruleTest('mapping', 'create-defaults', () => {
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
    filter: undefined,
    tumblingWindowSec: 0,
    failureTarget: undefined,
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
    failureTarget: { kind: 'bucket', bucket: 'quarantine' },
    countsEvents: true,
  });
});

const refuses = (rows: readonly (readonly [object, RegExp])[]) => () => {
  for (const [properties, message] of rows) {
    expect(() => parse(properties), JSON.stringify(properties)).toThrow(message);
  }
};

ruleTest(
  'mapping',
  'ranges',
  refuses([
    [{ BatchSize: 0 }, /BatchSize is 0, not 1 to 10000/],
    [{ BatchSize: 10_001 }, /BatchSize/],
    [{ BatchSize: 'many' }, /BatchSize is "many"/],
    [{ BatchSize: '' }, /BatchSize is ""/],
    [{ BatchSize: 1.5 }, /BatchSize is 1.5/],
    [{ ParallelizationFactor: 11 }, /ParallelizationFactor is 11, not 1 to 10/],
    [{ ParallelizationFactor: 0 }, /ParallelizationFactor/],
    [{ MaximumBatchingWindowInSeconds: 301 }, /MaximumBatchingWindowInSeconds is 301/],
    [{ MaximumRetryAttempts: -2 }, /MaximumRetryAttempts is -2, not -1 to 10000/],
    [{ MaximumRetryAttempts: 10_001 }, /MaximumRetryAttempts/],
    [{ MaximumRecordAgeInSeconds: 604_801 }, /MaximumRecordAgeInSeconds/],
    [{ TumblingWindowInSeconds: 901 }, /TumblingWindowInSeconds is 901, not 0 to 900/],
    [{ Enabled: 'perhaps' }, /Enabled is "perhaps"/],
    [{ FunctionResponseTypes: ['Report'] }, /FunctionResponseTypes/],
  ]),
);

test('a range alone is a validation error, and anything else an invalid parameter', () => {
  const codeOf = (properties: object): unknown => {
    try {
      return parse(properties);
    } catch (error) {
      return (error as MappingError).code;
    }
  };
  expect(codeOf({ BatchSize: 0 })).toBe('ValidationException');
  expect(codeOf({ BatchSize: 0, ScalingConfig: {} })).toBe('InvalidParameterValueException');
});

ruleTest('mapping', 'range-age', () => {
  for (const seconds of [0, 1, 59]) {
    expect(() => parse({ MaximumRecordAgeInSeconds: seconds })).toThrow(/not -1 or 60 to 604800/);
  }
  expect(parse({ MaximumRecordAgeInSeconds: 60 }).recordAgeSecMax).toBe(60);
  expect(parse({ MaximumRecordAgeInSeconds: -1 }).recordAgeSecMax).toBeUndefined();
});

ruleTest('mapping', 'not-kinesis', () => {
  for (const name of [
    'ScalingConfig',
    'ProvisionedPollerConfig',
    'LoggingConfig',
    'Topics',
    'Queues',
    'SourceAccessConfigurations',
    'SelfManagedEventSource',
    'SelfManagedKafkaEventSourceConfig',
    'AmazonManagedKafkaEventSourceConfig',
    'DocumentDBEventSourceConfig',
    'Whatever',
  ]) {
    expect(() => parse({ [name]: {} })).toThrow(`${name} is not a parameter of a Kinesis stream`);
  }
  for (const arn of [
    'arn:aws:sqs:eu-west-1:000000000000:queue',
    `${STREAM_ARN}/consumer/fast:1`,
    'stream',
  ]) {
    expect(() => parse({ EventSourceArn: arn })).toThrow(/EventSourceArn/);
  }
});

ruleTest(
  'mapping',
  'start-refused',
  refuses([
    [{ StartingPosition: 'SOMEWHERE' }, /StartingPosition "SOMEWHERE"/],
    [{ StartingPosition: undefined }, /StartingPosition undefined/],
    [{ StartingPosition: 'AT_TIMESTAMP' }, /StartingPositionTimestamp is absent/],
    [
      { StartingPosition: 'AT_TIMESTAMP', StartingPositionTimestamp: START_MS / 1000 + 1 },
      /in the future/,
    ],
    [{ StartingPositionTimestamp: 1 }, /only for AT_TIMESTAMP/],
  ]),
);

ruleTest('mapping', 'destination-refused', () => {
  const to = (Destination: string) => ({ DestinationConfig: { OnFailure: { Destination } } });
  const queueArn = 'arn:aws:sqs:eu-west-1:000000000000:failures';
  expect(parse(to(queueArn)).failureTarget).toEqual({ kind: 'queue', queueArn });
  expect(parse({ DestinationConfig: { OnFailure: {} } }).failureTarget).toBeUndefined();
  expect(() => parse(to(`${queueArn}.fifo`))).toThrow(/is a FIFO queue/);
  expect(() => parse(to('arn:aws:sns:eu-west-1:000000000000:topic'))).toThrow(/no bucket or queue/);
  expect(() => parse({ DestinationConfig: { OnSuccess: {} } })).toThrow(/OnSuccess/);
});

ruleTest('mapping', 'metrics-config', () => {
  expect(parse({ MetricsConfig: { Metrics: ['EventCount'] } }).countsEvents).toBe(true);
  expect(parse({ MetricsConfig: { Metrics: [] } }).countsEvents).toBe(false);
  expect(() => parse({ MetricsConfig: { Metrics: ['KafkaMetrics'] } })).toThrow(/MetricsConfig/);
});

ruleTest('mapping', 'key-inert', () => {
  const inert = { KMSKeyArn: 'arn:aws:kms:eu-west-1:000000000000:key/k', Tags: { a: 'b' } };
  expect(parse(inert)).toEqual(parse({}));
});

ruleTest('mapping', 'window-one-lane', () => {
  const both = { TumblingWindowInSeconds: 60, ParallelizationFactor: 2 };
  expect(() => parse(both)).toThrow(/ParallelizationFactor is 2: /);
  expect(parse({ ...both, ParallelizationFactor: 1 }).tumblingWindowSec).toBe(60);
});

test('a function is known by its name, its ARN, a part of it, or its latest version', () => {
  for (const name of [
    'consume',
    'consume:$LATEST',
    'function:consume',
    '000000000000:function:consume',
    'arn:aws:lambda:eu-west-1:000000000000:function:consume',
  ]) {
    expect(parse({ FunctionName: name }).functionName, name).toBe('consume');
  }
  expect(() => parse({ FunctionName: 'consume:7' })).toThrow(/FunctionName consume:7/);
});

test('every fault is told at once', () => {
  expect(() => parse({ BatchSize: 0, FilterCriteria: { Filters: 5 }, FunctionName: '' })).toThrow(
    /FunctionName.*FilterCriteria.*BatchSize/,
  );
});
