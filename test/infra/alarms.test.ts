/** Every alarm as CloudWatch is told of it, and as a person is. */
import { readFileSync } from 'node:fs';
import type { Template } from 'aws-cdk-lib/assertions';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { planAlarms } from '#infra/alarms/plan-alarms';
import { settingsOf, ticketsInput } from '#test/config/pipeline-input';
import { alarmsFor, alarmsOf, RUN, verdict, watched } from '#test/infra/read-alarms';
import type { Alarm } from '#test/infra/read-alarms';
import { removeTemporary, synthesize } from '#test/infra/synthesize';

afterAll(removeTemporary);

const POLL = 'penstock-test-tickets-poll';
const BOARD = 'penstock-test-tickets-consume-board';
const STREAM = { StreamName: 'penstock-test-tickets' };

let template: Template;
let alarms: ReadonlyMap<string, Alarm>;
beforeAll(async () => {
  template = (await synthesize([ticketsInput()])).template(RUN);
  alarms = alarmsOf(template);
});

const MIN = 'GreaterThanOrEqualToThreshold';
const service = (name: string) => ({ service: name });
const fn = (name: string) => ({ FunctionName: name });

test.each<[string, unknown[], unknown[]]>([
  [
    'poll-stale',
    [
      'succeeded + held',
      ['succeeded', 'Sum Penstock PollsSucceeded', service(POLL), 60],
      ['held', 'Sum Penstock PollsHeldBack', service(POLL), 60],
    ],
    // Seven intervals of three minutes.
    ['LessThanThreshold', 1, '21 of 21', 'breaching'],
  ],
  [
    'poll-failing',
    [
      'IF(FILL(parked, 0) > 0, 0, FILL(failed, 0))',
      ['failed', 'Sum Penstock PollsFailed', service(POLL), 540],
      ['parked', 'Sum Penstock SourceParked', service(POLL), 540],
    ],
    [MIN, 3, '1 of 1', 'ignore'],
  ],
  [
    'poll-parked',
    ['Sum Penstock SourceParked', service(POLL), 300],
    [MIN, 1, '1 of 1', 'notBreaching'],
  ],
  [
    'poll-held-back',
    ['Sum Penstock PollsHeldBack', service(POLL), 900],
    // Two thirds of the five polls of a quarter of an hour.
    [MIN, 3, '1 of 1', 'ignore'],
  ],
  [
    'quarantine-growing-poll',
    ['Sum Penstock RecordsRefused', service(POLL), 300],
    [MIN, 1, '1 of 1', 'notBreaching'],
  ],
  [
    'ticks-dropped',
    ['Sum AWS/Scheduler InvocationDroppedCount', { ScheduleGroup: 'penstock-test-tickets' }, 300],
    [MIN, 1, '1 of 1', 'notBreaching'],
  ],
  ['errors-poll', ['Sum AWS/Lambda Errors', fn(POLL), 300], [MIN, 1, '1 of 1', 'notBreaching']],
  [
    'throttles-poll',
    [
      'IF(FILL(throttled, 0) > 0 AND FILL(started, 0) == 0, 1, 0)',
      ['throttled', 'Sum AWS/Lambda Throttles', fn(POLL), 300],
      ['started', 'Sum AWS/Lambda Invocations', fn(POLL), 300],
    ],
    [MIN, 1, '2 of 2', 'notBreaching'],
  ],
  [
    'duration-poll',
    ['Maximum AWS/Lambda Duration', fn(POLL), 300],
    [MIN, 169_000, '1 of 1', 'notBreaching'],
  ],
  [
    'write-throttled',
    ['Sum AWS/Kinesis WriteProvisionedThroughputExceeded', STREAM, 60],
    [MIN, 1, '3 of 5', 'notBreaching'],
  ],
  [
    'read-throttled',
    ['Sum AWS/Kinesis ReadProvisionedThroughputExceeded', STREAM, 60],
    [MIN, 1, '3 of 5', 'notBreaching'],
  ],
  [
    'records-near-limit',
    ['Sum AWS/Kinesis IncomingRecords', STREAM, 60],
    [MIN, 192_000, '15 of 15', 'notBreaching'],
  ],
  [
    'bytes-near-limit',
    ['Sum AWS/Kinesis IncomingBytes', STREAM, 60],
    [MIN, 201_326_592, '15 of 15', 'notBreaching'],
  ],
  [
    'iterator-age-board',
    ['Maximum AWS/Lambda IteratorAge', fn(BOARD), 60],
    [MIN, 660_000, '1 of 5', 'notBreaching'],
  ],
  [
    'delivered-nothing-board',
    [
      'IF(FILL(arrived, 0) > 0 AND FILL(received, 0) == 0, 1, 0)',
      ['arrived', 'Sum AWS/Kinesis IncomingRecords', STREAM, 300],
      ['received', 'Sum Penstock RecordsReceived', service(BOARD), 300],
    ],
    [MIN, 1, '3 of 3', 'notBreaching'],
  ],
  [
    'gave-up-lost-board',
    ['Sum AWS/Lambda DestinationDeliveryFailures', fn(BOARD), 300],
    [MIN, 1, '1 of 1', 'notBreaching'],
  ],
  [
    'quarantine-growing-board',
    ['Sum Penstock RecordsRefused', service(BOARD), 300],
    [MIN, 1, '1 of 1', 'notBreaching'],
  ],
  ['errors-board', ['Sum AWS/Lambda Errors', fn(BOARD), 60], [MIN, 1, '2 of 5', 'notBreaching']],
  [
    'throttles-board',
    ['Sum AWS/Lambda Throttles', fn(BOARD), 60],
    [MIN, 1, '3 of 5', 'notBreaching'],
  ],
  [
    'duration-board',
    ['Maximum AWS/Lambda Duration', fn(BOARD), 60],
    [MIN, 44_000, '3 of 5', 'notBreaching'],
  ],
  [
    'errors-recover',
    ['Sum AWS/Lambda Errors', fn('penstock-test-tickets-recover'), 300],
    [MIN, 1, '2 of 3', 'notBreaching'],
  ],
])('%s watches what it names', (id, metric, bound) => {
  const alarm = alarms.get(id)!;
  expect(watched(alarm)).toEqual(metric);
  expect(verdict(alarm)).toEqual(bound);
});

test('a batch given up is counted where its mapping counts it', () => {
  const [[mapping, { Properties }]] = Object.entries(
    template.findResources('AWS::Lambda::EventSourceMapping'),
  ) as [[string, { Properties: Record<string, unknown> }]];
  expect(Properties['MetricsConfig']).toEqual({ Metrics: ['EventCount'] });
  expect(watched(alarms.get('gave-up-board')!)).toEqual([
    'Sum AWS/Lambda OnFailureDestinationDeliveredEventCount',
    { EventSourceMappingUUID: { Ref: mapping } },
    300,
  ]);
});

test('every alarm of the plan, and no other, is in the template', () => {
  const planned = planAlarms('test', settingsOf(ticketsInput())).map(({ id }) => id);
  expect([...alarms.keys()].sort()).toEqual([...planned].sort());
  expect(new Set(planned).size).toBe(planned.length);
});

test("every alarm tells the stage's topic when it begins and when it ends, and a person what to do", () => {
  const topic = JSON.stringify({
    'Fn::Join': [
      '',
      [
        'arn:',
        { Ref: 'AWS::Partition' },
        ':sns:',
        { Ref: 'AWS::Region' },
        ':',
        { Ref: 'AWS::AccountId' },
        ':penstock-test-alarms',
      ],
    ],
  });
  for (const { title, firstStep, id } of planAlarms('test', settingsOf(ticketsInput()))) {
    const alarm = alarms.get(id)!;
    expect(JSON.stringify([alarm.AlarmActions, alarm.OKActions])).toBe(`[[${topic}],[${topic}]]`);
    expect(alarm.AlarmDescription).toContain(title);
    expect(alarm.AlarmDescription).toContain(firstStep);
  }
});

test('every consumer has its own alarms', async () => {
  const { consumers } = ticketsInput();
  const two = await alarmsFor({ consumers: [consumers[0]!, { kind: 'table', name: 'audit' }] });
  for (const id of alarms.keys()) {
    if (id.endsWith('-board')) expect([...two.keys()]).toContain(id.replace('board', 'audit'));
  }
});

test('every alarm has its meaning and its first step on the page', () => {
  const page = readFileSync('docs/reference/alarms.md', 'utf8');
  const settings = settingsOf(ticketsInput());
  for (const { id, title, firstStep } of planAlarms('test', settings)) {
    const section = page.split('\n## ').find((text) => {
      const heading = text.slice(1, text.indexOf('`', 1));
      return heading.replace('<consumer>', 'board') === id;
    });
    expect([id, section]).toEqual([id, expect.stringContaining(title)]);
    const command = firstStep.split(' ').slice(0, 3).join(' ').replaceAll('tickets', '<pipeline>');
    expect(section).toContain(command.replaceAll('-test-', '-<stage>-'));
  }
});
