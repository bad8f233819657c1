import { Metrics } from '@aws-lambda-powertools/metrics';
import { expect, test, vi } from 'vitest';
import { levelOf } from '#adapters/telemetry/event-level';
import { metricsOf } from '#adapters/telemetry/event-metrics';
import { powertoolsReport } from '#adapters/telemetry/powertools-report';
import type { BatchConsumed } from '#core/checkpoint/consume-event';
import type { PollEnded } from '#core/source/poll-event';
import type { TelemetryEvent } from '#core/telemetry-event';

const consumed: BatchConsumed = {
  event: 'BatchConsumed',
  pipeline: 'orders',
  consumer: 'audit',
  shardId: 'shardId-000000000004',
  passage: 'stream',
  received: 28,
  receivedBytes: 9_001,
  keys: 17,
  written: 7,
  stale: 6,
  folded: 5,
  refused: 4,
  returned: 6,
  resumeAt: '49',
  held: false,
  outOfTime: false,
  iteratorAgeMs: 1_234,
  durationMs: 56,
};
const refused: TelemetryEvent = {
  event: 'RecordRefused',
  pipeline: 'orders',
  stage: 'audit',
  reason: 'not-json',
  detail: '11 bytes that are not JSON in UTF-8',
  place: 'shardId-000000000004-4951',
};
const failed: TelemetryEvent = {
  event: 'WriteFailed',
  pipeline: 'orders',
  consumer: 'audit',
  into: 'table',
  shardId: 'shardId-000000000004',
  sequenceNumber: '49',
  records: 2,
  retryable: true,
  error: 'AwsError: busy',
};
const ended: PollEnded = {
  event: 'PollEnded',
  pipeline: 'orders',
  outcome: 'caught-up',
  detail: '',
  pages: 2,
  records: 30,
  published: 20,
  refused: 1,
  accepted: 20,
  confirmed: 20,
  returned: 0,
  durationMs: 400,
};

const slowed: TelemetryEvent = {
  event: 'TableSlowed',
  pipeline: 'orders',
  consumer: 'audit',
  keysMax: 4,
  keysMaxBefore: 8,
};

test.each<[string, TelemetryEvent, string]>([
  ['a whole batch', { ...consumed, returned: 0 }, 'info'],
  ['a batch of which some comes again', consumed, 'warn'],
  ['a record set aside', refused, 'error'],
  ['a failure that may pass', failed, 'warn'],
  ['a failure that will not pass', { ...failed, retryable: false }, 'error'],
  ['a poll that caught up', ended, 'info'],
  ['a poll that ran out of time', { ...ended, outcome: 'out-of-time' }, 'info'],
  ['one that did so within a page', { ...ended, outcome: 'out-of-time', pages: 0 }, 'warn'],
  ['a poll that lost its lease', { ...ended, outcome: 'lease-lost' }, 'warn'],
  ['a poll that failed', { ...ended, outcome: 'failed' }, 'error'],
  [
    'an unsaved checkpoint',
    { event: 'CheckpointFailed', pipeline: 'orders', consumer: 'audit', shardId: 's', error: 'e' },
    'warn',
  ],
  ['a table that throttles', slowed, 'warn'],
])('%s is told at its level', (_what, event, level) => {
  expect(levelOf(event)).toBe(level);
});

test('a table that throttles counts once for each halving', () => {
  expect(metricsOf(slowed)).toEqual([{ name: 'TableSlowed', unit: 'Count', value: 1 }]);
});

test("a batch's metrics account for every record", () => {
  const numbers = Object.fromEntries(metricsOf(consumed).map(({ name, value }) => [name, value]));
  expect(numbers).toEqual({
    BreakerOpen: 0,
    RecordsReceived: 28,
    RecordsWritten: 7,
    RecordsStale: 6,
    RecordsFolded: 5,
    RecordsRefused: 4,
    RecordsReturned: 6,
    ReceivedBytes: 9_001,
    BatchIteratorAge: 1_234,
    BatchDuration: 56,
  });
});

test.each<[PollEnded['outcome'], number, number, number]>([
  ['caught-up', 0, 1, 0],
  ['out-of-time', 3, 1, 0],
  ['out-of-time', 0, 0, 0],
  ['parked', 2, 0, 0],
  ['paused', 0, 0, 0],
  ['lease-held', 0, 0, 0],
  ['lease-lost', 2, 0, 0],
  ['failed', 2, 0, 1],
])(
  'a poll that ended %s after %i pages counts as %i success, %i failure',
  (outcome, pages, ...counts) => {
    const metrics = metricsOf({ ...ended, outcome, pages });
    const valueOf = (name: string) => metrics.find((metric) => metric.name === name)?.value;
    expect(['PollsSucceeded', 'PollsFailed'].map(valueOf)).toEqual(counts);
  },
);

test('a poll that does not know how far it is behind gives no number for it', () => {
  expect(metricsOf(ended).map(({ name }) => name)).not.toContain('SourceBehind');
  expect(metricsOf({ ...ended, behindMs: 90_000 })).toContainEqual({
    name: 'SourceBehind',
    unit: 'Milliseconds',
    value: 90_000,
  });
});

function spies() {
  const logger = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
  const buffer = new Metrics({ namespace: 'Penstock', serviceName: 'penstock-dev-orders' });
  const lines: ReturnType<Metrics['serializeMetrics']>[] = [];
  const metrics: Parameters<typeof powertoolsReport>[1] = {
    addMetric: (...metric) => buffer.addMetric(...metric),
    publishStoredMetrics() {
      lines.push(buffer.serializeMetrics());
      buffer.clearMetrics();
      return buffer;
    },
  };
  return { logger, metrics, lines };
}

test('an event is one log line with its fields', () => {
  const { logger, metrics } = spies();
  powertoolsReport(logger, metrics)(refused);
  expect(logger.error.mock.calls).toEqual([['RecordRefused', refused]]);
});

test('its numbers are one embedded metric line', () => {
  const { logger, metrics, lines } = spies();
  powertoolsReport(logger, metrics)(consumed);
  const [line, ...others] = lines;
  expect(others).toEqual([]);
  expect(line).toMatchObject({ service: 'penstock-dev-orders', RecordsWritten: 7 });
  expect(line!._aws.CloudWatchMetrics).toMatchObject([
    { Namespace: 'Penstock', Dimensions: [['service']] },
  ]);
});

test('what cannot be reported is told, and never thrown', () => {
  const { logger } = spies();
  const broken = {
    addMetric: () => {
      throw new RangeError('too many');
    },
    publishStoredMetrics: vi.fn(),
  };
  powertoolsReport(logger, broken as never)(consumed);
  expect(logger.error.mock.calls).toMatchObject([['ReportFailed', { reported: 'BatchConsumed' }]]);
});
