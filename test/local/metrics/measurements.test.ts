import { expect, test } from 'vitest';
import type { MappingEvent } from '#local/lambda/mapping/mapping-event';
import { ofInvocation, ofMapping } from '#local/metrics/lambda-measurements';
import { readEmf } from '#local/metrics/read-emf';

test('every metric of an EMF line is read under every set of dimensions', () => {
  const line = {
    _aws: {
      Timestamp: 1,
      CloudWatchMetrics: [
        {
          Namespace: 'Penstock',
          Dimensions: [['service'], ['service', 'shard']],
          Metrics: [{ Name: 'Records', Unit: 'Count' }],
        },
        { Namespace: 'Other', Dimensions: [[]], Metrics: [{ Name: 'Age' }, { Name: 'absent' }] },
      ],
    },
    service: 'consume',
    shard: 3,
    Records: [5, 7],
    Age: 11,
  };
  const service = { service: 'consume' };
  const both = { service: 'consume', shard: '3' };
  expect(readEmf(line)).toEqual([
    { namespace: 'Penstock', name: 'Records', dimensions: service, value: 5 },
    { namespace: 'Penstock', name: 'Records', dimensions: service, value: 7 },
    { namespace: 'Penstock', name: 'Records', dimensions: both, value: 5 },
    { namespace: 'Penstock', name: 'Records', dimensions: both, value: 7 },
    { namespace: 'Other', name: 'Age', dimensions: {}, value: 11 },
  ]);
});

test.each([
  ['that is no JSON', undefined],
  ['of an event', { event: 'PollEnded', published: 3 }],
  ['with something else in _aws', { _aws: { CloudWatchMetrics: 'none' } }],
])('a line %s holds no number', (_, line) => {
  expect(readEmf(line)).toEqual([]);
});

test('an invocation counts, and its errors and time with it', () => {
  const report = { requestId: 'r', coldStart: false, durationMs: 31, memoryMb: 128 };
  const values = (outcome: 'ok' | 'error') =>
    ofInvocation({ ...report, functionName: 'fn', outcome }).map(({ namespace, ...one }) => {
      expect([namespace, one.dimensions]).toEqual(['AWS/Lambda', { FunctionName: 'fn' }]);
      return [one.name, one.value];
    });
  expect(values('ok')).toEqual([
    ['Invocations', 1],
    ['Errors', 0],
    ['Duration', 31],
  ]);
  expect(values('error')).toContainEqual(['Errors', 1]);
});

const OF_RECORDS = { records: 3, firstSequenceNumber: '1', lastSequenceNumber: '3' };
const GAVE_UP = {
  kind: 'gave-up',
  ...OF_RECORDS,
  condition: 'RetryAttemptsExhausted',
  detail: '',
  functionName: 'fn',
  shardId: 's',
} as const;

const told: readonly [string, MappingEvent, object][] = [
  [
    'a batch is as old as its last record',
    { ...GAVE_UP, kind: 'batch', attempt: 1, iteratorAgeMs: 17 },
    { name: 'IteratorAge', dimensions: { FunctionName: 'fn' }, value: 17 },
  ],
  [
    'records in the destination are counted by the mapping',
    { ...GAVE_UP, key: 'k' },
    {
      name: 'OnFailureDestinationDeliveredEventCount',
      dimensions: { EventSourceMappingUUID: 'id' },
      value: 3,
    },
  ],
  [
    'records that are in no destination are dropped',
    GAVE_UP,
    { name: 'DroppedEventCount', dimensions: { EventSourceMappingUUID: 'id' }, value: 3 },
  ],
  [
    'a destination that refuses counts once',
    { ...GAVE_UP, kind: 'destination-failed', message: 'gone' },
    { name: 'DestinationDeliveryFailures', dimensions: { FunctionName: 'fn' }, value: 1 },
  ],
];

test('a mapping whose events are not asked for counts none', () => {
  expect(ofMapping({ ...GAVE_UP, key: 'k' })).toEqual([]);
  expect(ofMapping(GAVE_UP)).toEqual([]);
});

test.each(told)('%s', (_, event, measurement) => {
  expect(ofMapping(event, 'id')).toContainEqual({ namespace: 'AWS/Lambda', ...measurement });
});

test('records are counted when they are read, dropped by a filter, handed over, and failed', () => {
  const of = { functionName: 'fn', shardId: 's' };
  const counts = (event: MappingEvent) =>
    ofMapping(event, 'id')
      .filter(({ dimensions }) => 'EventSourceMappingUUID' in dimensions)
      .map(({ name, value }) => [name, value]);
  expect(counts({ ...of, kind: 'polled', records: 7, filtered: 2 })).toEqual([
    ['PolledEventCount', 7],
    ['FilteredOutEventCount', 2],
  ]);
  expect(counts({ ...of, kind: 'polled', records: 7, filtered: 0 })).toEqual([
    ['PolledEventCount', 7],
  ]);
  expect(counts({ ...GAVE_UP, kind: 'batch', attempt: 1, iteratorAgeMs: 17 })).toEqual([
    ['InvokedEventCount', 3],
  ]);
  expect(counts({ ...GAVE_UP, kind: 'bisected', left: 2 })).toEqual([
    ['FailedInvokeEventCount', 3],
  ]);
  expect(counts(GAVE_UP)).toEqual([
    ['DroppedEventCount', 3],
    ['FailedInvokeEventCount', 3],
  ]);
  expect(counts({ ...GAVE_UP, condition: 'RecordAgeExceeded' })).toEqual([
    ['DroppedEventCount', 3],
  ]);
});
