/** What an operator sees of a pipeline on one page. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ticketsInput } from '#test/config/pipeline-input';
import { only, removeTemporary, synthesize } from '#test/infra/synthesize';

afterAll(removeTemporary);

type Widget = Readonly<Record<string, never>>;
type Input = ReturnType<typeof ticketsInput>;

/** The dashboard's body, its references in angle brackets. */
async function dashboardOf(input: Input) {
  const { template } = await synthesize([input]);
  const run = template('penstock-test-tickets-run');
  const { DashboardName, DashboardBody } = only(run, 'AWS::CloudWatch::Dashboard');
  const [, parts] = (DashboardBody as { 'Fn::Join': [string, unknown[]] })['Fn::Join'];
  const text = parts.map((part) => (typeof part === 'string' ? part : `<${referredTo(part)}>`));
  const alarms = Object.keys(run.findResources('AWS::CloudWatch::Alarm'));
  return { name: DashboardName, alarms, widgets: JSON.parse(text.join('')).widgets as Widget[] };
}

function referredTo(part: unknown): string {
  const { Ref, 'Fn::GetAtt': attribute } = part as { Ref?: string; 'Fn::GetAtt'?: string[] };
  return Ref ?? attribute!.join('.');
}

let dashboard: Awaited<ReturnType<typeof dashboardOf>>;
beforeAll(async () => {
  dashboard = await dashboardOf(ticketsInput());
});

const graph = (title: RegExp, { widgets } = dashboard) =>
  widgets.find(({ properties }) => title.test(properties!['title']))!['properties']!;

/** `AWS/Lambda Errors <function>` of each line that is drawn from a metric. */
const metricsIn = (properties: Record<string, never>) =>
  (properties['metrics'] as unknown as unknown[][])
    .filter(([first]) => typeof first === 'string')
    .map((parts) => parts.filter((part) => typeof part === 'string').join(' '));

const POLL = 'penstock-test-tickets-poll';
const BOARD = 'penstock-test-tickets-consume-board';
const STREAM = 'StreamName penstock-test-tickets';

test("is named like its pipeline, and its graphs are the stack's own region's", () => {
  expect(dashboard.name).toBe('penstock-test-tickets');
  for (const { type, properties } of dashboard.widgets) {
    if (type === ('metric' as never)) expect(properties!['region']).toBe('<AWS::Region>');
  }
});

test('begins with the state of every alarm', () => {
  expect(dashboard.widgets[0]).toMatchObject({
    type: 'alarm',
    x: 0,
    y: 0,
    properties: { alarms: dashboard.alarms.map((id) => `<${id}.Arn>`) },
  });
});

test('shows how far each consumer and the source are behind', () => {
  expect(metricsIn(graph(/age of records/))).toEqual([
    `AWS/Lambda IteratorAge FunctionName ${BOARD}`,
  ]);
  expect(metricsIn(graph(/the source/))).toEqual([`Penstock SourceBehind service ${POLL}`]);
});

test('shows what flows, from the source to the table', () => {
  expect(metricsIn(graph(/^Flow/))).toEqual([
    `Penstock RecordsPolled service ${POLL}`,
    `Penstock RecordsPublished service ${POLL}`,
    `Penstock RecordsRefused service ${POLL}`,
    `AWS/Kinesis IncomingRecords ${STREAM}`,
    `Penstock RecordsWritten service ${BOARD}`,
    `Penstock RecordsStale service ${BOARD}`,
    `Penstock RecordsRefused service ${BOARD}`,
    `Penstock RecordsReturned service ${BOARD}`,
  ]);
});

describe('how full the shards are', () => {
  test('is per cent of what they take, whatever period is shown', () => {
    const { title, metrics } = graph(/full/);
    expect(title).toBe('How full the 4 shards are');
    expect(metrics).toEqual([
      [{ expression: '100 * m0 / PERIOD(m0) / 4194304', label: 'bytes' }],
      ['AWS/Kinesis', 'IncomingBytes', 'StreamName', 'penstock-test-tickets', drawnFrom('m0')],
      [{ expression: '100 * m1 / PERIOD(m1) / 4000', label: 'records' }],
      ['AWS/Kinesis', 'IncomingRecords', 'StreamName', 'penstock-test-tickets', drawnFrom('m1')],
    ]);
  });

  test('is a number of bytes on demand', async () => {
    const input = ticketsInput();
    const stream = { ...input.stream, load: { onDemand: true } as const };
    const properties = graph(/on demand/, await dashboardOf({ ...input, stream }));
    expect(metricsIn(properties)).toEqual([`AWS/Kinesis IncomingBytes ${STREAM}`]);
  });
});

test('shows errors, throttles and durations of every function, and throttles of the stream', () => {
  const each = (name: string) => [POLL, BOARD].map((fn) => `AWS/Lambda ${name} FunctionName ${fn}`);
  expect(metricsIn(graph(/^Errors/))).toEqual(each('Errors'));
  expect(metricsIn(graph(/^Duration/))).toEqual(each('Duration'));
  expect(metricsIn(graph(/^Throttles/))).toEqual([
    ...each('Throttles'),
    `AWS/Kinesis WriteProvisionedThroughputExceeded ${STREAM}`,
    `AWS/Kinesis ReadProvisionedThroughputExceeded ${STREAM}`,
  ]);
});

test('no two widgets overlap', () => {
  const places = dashboard.widgets.map(({ x, y }) => `${x},${y}`);
  expect(new Set(places).size).toBe(places.length);
  expect(dashboard.widgets.slice(1).map(({ width }) => width)).toEqual(
    Array.from({ length: places.length - 1 }, () => 12),
  );
});

function drawnFrom(id: string) {
  return { id, stat: 'Sum', visible: false };
}
