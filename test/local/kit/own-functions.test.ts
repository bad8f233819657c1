/** The product's own functions in this process: their time is the cloud's, their requests need no socket. */
import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { expect, onTestFinished, test } from 'vitest';
import { consumeHandler } from '#functions/consume/handler';
import { pollHandler } from '#functions/poll/handler';
import { startCloud } from '#local/cloud';
import { steppedClock } from '#local/kit/stepped-clock';
import type { PipelineSettings } from '#config/pipeline-settings';
import { scriptedServer } from '#test/adapters/http/scripted-server';
import { consumerTemplate } from '#test/local/consumer-template';

const SETTINGS: PipelineSettings = {
  name: 'orders',
  source: {
    url: { env: 'ORDERS_API_URL' },
    auth: { kind: 'none' },
    records: 'data',
    pagination: { kind: 'cursor', param: 'cursor', next: 'next' },
    incremental: {
      param: 'since',
      field: 'updated_at',
      fieldFormat: 'iso',
      format: 'iso',
      horizonSec: 0,
      inclusive: true,
      ordered: true,
    },
    pageSize: { param: 'limit', value: 50 },
    query: {},
    timeoutSec: 5,
    idleSec: 5,
    orphans: false,
  },
  schedule: { everyMinutes: 1 },
  poll: { memoryMb: 512, timeoutSec: 30, behind: { reaction: 'ignore' } },
  record: {
    key: 'id',
    version: { field: 'updated_at', format: 'iso' },
    eventTime: { field: 'updated_at', format: 'iso' },
    partitionBy: 'id',
  },
  stream: { load: { onDemand: true }, retentionHours: 24, recordBytesMax: 1_048_576 },
  consumers: [
    {
      kind: 'table',
      name: 'latest',
      batchSize: 100,
      batchingWindowSec: 0,
      batchesPerShard: 1,
      retryAttempts: 10,
      recordAgeMaxHours: 2,
      concurrency: 4,
      mode: 'replace',
      attributes: {},
      tombstoneDays: 30,
      breaker: { percent: 50, recordsMin: 50 },
      memoryMb: 512,
      timeoutSec: 30,
    },
  ],
  quarantine: { keptDays: 14 },
  alarms: { iteratorAgeMinutes: 15, staleIntervals: 3 },
};

const START_MS = Date.UTC(2031, 4, 6, 7, 30, 20);

const templateFor = (url: string) => ({
  Resources: {
    ...consumerTemplate({
      stream: 'orders',
      table: 'latest',
      keyName: 'id',
      stateTable: 'state',
      bucket: 'refused',
      functionName: 'consume',
    }).Resources,
    Poll: {
      Type: 'AWS::Lambda::Function',
      Properties: {
        FunctionName: 'poll',
        Runtime: 'nodejs24.x',
        Handler: 'index.handler',
        Code: { S3Bucket: 'assets', S3Key: 'none' },
        Role: { 'Fn::GetAtt': ['Role', 'Arn'] },
        ReservedConcurrentExecutions: 1,
        Timeout: 30,
        Environment: {
          Variables: {
            PENSTOCK_STREAM: 'orders',
            PENSTOCK_STATE_TABLE: 'state',
            PENSTOCK_QUARANTINE_BUCKET: 'refused',
            ORDERS_API_URL: url,
          },
        },
      },
    },
    Schedule: {
      Type: 'AWS::Scheduler::Schedule',
      Properties: {
        Name: 'minutes',
        ScheduleExpression: 'cron(* * * * ? *)',
        FlexibleTimeWindow: { Mode: 'OFF' },
        Target: {
          Arn: { 'Fn::GetAtt': ['Poll', 'Arn'] },
          RoleArn: { 'Fn::GetAtt': ['Role', 'Arn'] },
        },
      },
    },
  },
});

test('poll and consume run by the cloud’s clock, and an unanswered write or a 500 costs no row', async () => {
  let asked = 0;
  const source = await scriptedServer((response) => {
    asked += 1;
    const updated_at = new Date(START_MS + asked * 1_000).toISOString();
    response.setHeader('date', new Date(START_MS + 3_600_000).toUTCString());
    response.end(JSON.stringify({ data: [{ id: `order-${asked}`, updated_at }], next: null }));
  });
  onTestFinished(source.close);
  let poll: ReturnType<typeof pollHandler> | undefined;
  let consume: ReturnType<typeof consumeHandler> | undefined;
  const published: unknown[] = [];
  const cloud = await startCloud({
    template: templateFor(source.url),
    port: false,
    clock: steppedClock(START_MS),
    seed: 3,
    faults: [
      { kind: 'lose-put-answer', stream: 'orders', times: 1, afterMs: 150_000 },
      { kind: 'error-before', service: 'kinesis', operation: 'PutRecords', times: 1 },
    ],
    onEvent: (event) => {
      if (event.kind === 'log' && event.json?.['event'] === 'PollEnded') published.push(event.json);
    },
    handlers: {
      poll(event, context) {
        const { requestHandler } = cloud;
        poll ??= pollHandler(SETTINGS, undefined, { requestHandler });
        return poll(event as object, context as never);
      },
      consume(event, context) {
        const { requestHandler } = cloud;
        consume ??= consumeHandler(SETTINGS, 'latest', { requestHandler });
        return consume(event as never, context as never);
      },
    },
  });
  onTestFinished(() => cloud.stop());
  await cloud.step(10 * 60_000);
  expect(asked).toBeGreaterThanOrEqual(10);
  expect(published.length).toBeGreaterThanOrEqual(9);
  const handled = await recordsOf(cloud);
  const ids = new Set(handled.map((text) => /"id":"(order-\d+)"/.exec(text)?.[1]));
  expect(cloud.faults.list().map(({ hits }) => hits)).toEqual([1, 1]);
  expect(ids.size).toBeGreaterThanOrEqual(9);
  await cloud.untilIdle();
  const { Items = [] } = await new DynamoDBClient(cloud.client).send(
    new ScanCommand({ TableName: 'latest' }),
  );
  expect(new Set(Items.map(({ id }) => id?.S))).toEqual(ids);
});

async function recordsOf(cloud: Awaited<ReturnType<typeof startCloud>>): Promise<string[]> {
  const { KinesisClient, GetShardIteratorCommand, GetRecordsCommand } =
    await import('@aws-sdk/client-kinesis');
  const kinesis = new KinesisClient(cloud.client);
  const place = { StreamName: 'orders', ShardId: 'shardId-000000000000' };
  const { ShardIterator } = await kinesis.send(
    new GetShardIteratorCommand({ ...place, ShardIteratorType: 'TRIM_HORIZON' }),
  );
  const { Records = [] } = await kinesis.send(new GetRecordsCommand({ ShardIterator }));
  return Records.map(({ Data }) => Buffer.from(Data!).toString());
}
