/** Ordinary stacks of other people: they run, or it is said in a sentence what of them does not. */
import { App, CfnOutput, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { AttributeType, StreamViewType, Table, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Rule, Schedule as RuleSchedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Stream, StreamMode } from 'aws-cdk-lib/aws-kinesis';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Code, Function as Fn, Runtime, StartingPosition, Tracing } from 'aws-cdk-lib/aws-lambda';
import { SqsDestination } from 'aws-cdk-lib/aws-lambda-destinations';
import {
  DynamoEventSource,
  KinesisEventSource,
  SqsDlq,
  SqsEventSource,
} from 'aws-cdk-lib/aws-lambda-event-sources';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { BlockPublicAccess, Bucket } from 'aws-cdk-lib/aws-s3';
import { Schedule, ScheduleExpression } from 'aws-cdk-lib/aws-scheduler';
import { LambdaInvoke } from 'aws-cdk-lib/aws-scheduler-targets';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startCloud } from '#local/cloud';
import type { CloudOptions } from '#local/cloud-options';
import { steppedClock } from '#local/kit/stepped-clock';

const CODE = 'exports.handler = async (event) => ({ event, of: process.env.OF ?? null });';
const fnIn = (stack: Stack, id = 'Own', more: object = {}) =>
  new Fn(stack, id, {
    runtime: Runtime.NODEJS_24_X,
    handler: 'index.handler',
    code: Code.fromInline(CODE),
    ...more,
  });
const tableIn = (stack: Stack, more: object = {}) =>
  new Table(stack, 'Rows', { partitionKey: { name: 'id', type: AttributeType.STRING }, ...more });

/** By what is in them; all of them have a function of their own. */
const RUN: Readonly<Record<string, (stack: Stack) => void>> = {
  'a table that a function may write, with its name in the function’s variables': (stack) => {
    const table = tableIn(stack, {
      timeToLiveAttribute: 'ttl',
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      removalPolicy: RemovalPolicy.DESTROY,
    });
    table.grantReadWriteData(fnIn(stack, 'Own', { environment: { OF: table.tableName } }));
  },
  'a table of the newer kind': (stack) => {
    const partitionKey = { name: 'id', type: AttributeType.STRING };
    new TableV2(stack, 'Rows', { partitionKey }).grantReadData(fnIn(stack));
  },
  'a stream, a consumer, and a queue for what it fails on': (stack) => {
    const source = new KinesisEventSource(new Stream(stack, 'River'), {
      startingPosition: StartingPosition.LATEST,
      batchSize: 10,
      onFailure: new SqsDlq(new Queue(stack, 'GivenUp')),
      retryAttempts: 2,
      bisectBatchOnError: true,
      maxBatchingWindow: Duration.seconds(1),
      parallelizationFactor: 2,
      reportBatchItemFailures: true,
    });
    fnIn(stack).addEventSource(source);
  },
  'an encrypted stream, on demand': (stack) => {
    const stream = new Stream(stack, 'River', {
      streamMode: StreamMode.ON_DEMAND,
      encryptionKey: new Key(stack, 'Key'),
    });
    stream.grantReadWrite(fnIn(stack));
  },
  'a queue with a queue for its dead letters': (stack) => {
    const deadLetterQueue = { queue: new Queue(stack, 'Dead'), maxReceiveCount: 3 };
    new Queue(stack, 'Work', { deadLetterQueue }).grantSendMessages(fnIn(stack));
  },
  'a bucket with all that is usual': (stack) => {
    const bucket = new Bucket(stack, 'Box', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
      versioned: true,
      lifecycleRules: [{ expiration: Duration.days(3) }],
      removalPolicy: RemovalPolicy.DESTROY,
      autoDeleteObjects: true,
    });
    bucket.grantReadWrite(fnIn(stack));
  },
  'logs that are kept for a week, and traces': (stack) => {
    const logGroup = new LogGroup(stack, 'Logs', { retention: RetentionDays.ONE_WEEK });
    fnIn(stack, 'Own', { logGroup, tracing: Tracing.ACTIVE });
  },
  'logs that are kept in the older way': (stack) => {
    fnIn(stack, 'Own', { logRetention: RetentionDays.ONE_WEEK });
  },
  'a secret that is made up': (stack) => {
    const secret = new Secret(stack, 'Secret');
    secret.grantRead(fnIn(stack, 'Own', { environment: { OF: secret.secretArn } }));
  },
  'a queue for events that failed': (stack) => {
    const onFailure = new SqsDestination(new Queue(stack, 'Failed'));
    fnIn(stack, 'Own', { onFailure, retryAttempts: 1 });
  },
  'an alarm and an output': (stack) => {
    const errors = fnIn(stack).metricErrors();
    errors.createAlarm(stack, 'Alarm', { threshold: 1, evaluationPeriods: 1 });
    new CfnOutput(stack, 'Name', { value: new Stream(stack, 'River').streamName });
  },
};

async function start(build: (stack: Stack) => void, options: Partial<CloudOptions> = {}) {
  const app = new App({ analyticsReporting: false });
  build(new Stack(app, 'theirs'));
  const cloud = await startCloud({ cdkOut: app.synth(), ...options });
  onTestFinished(() => cloud.stop());
  return cloud;
}

describe('a stack runs that has', () => {
  test.each(Object.entries(RUN))('%s', async (_what, build) => {
    const cloud = await start(build);
    const own = cloud.resources['AWS::Lambda::Function']?.find((name) => name.includes('-own'));
    expect(await cloud.invoke(own ?? '', '{"n":7}')).toMatchObject({
      kind: 'ok',
      payload: expect.stringMatching(/^\{"event":\{"n":7\},"of":(null|"\S+")\}$/),
    });
  });
});

test.each<[string, (stack: Stack) => void, object]>([
  [
    'a rule',
    (stack) => {
      const schedule = RuleSchedule.rate(Duration.minutes(1));
      new Rule(stack, 'Every', { schedule, targets: [new LambdaFunction(fnIn(stack))] });
    },
    { source: 'aws.events', 'detail-type': 'Scheduled Event', detail: {} },
  ],
  [
    'a schedule',
    (stack) => {
      const schedule = ScheduleExpression.rate(Duration.minutes(1));
      new Schedule(stack, 'Every', { schedule, target: new LambdaInvoke(fnIn(stack), {}) });
    },
    { source: 'aws.scheduler', 'detail-type': 'Scheduled Event' },
  ],
])('%s calls its function each minute', async (_what, build, event) => {
  const events: unknown[] = [];
  const cloud = await start(build, {
    port: false,
    clock: steppedClock(Date.UTC(2026, 6, 1, 12, 0, 5)),
    handlers: { Own: (said) => void events.push(said) },
  });
  await cloud.step(4 * 60_000 - 1);
  expect(events).toHaveLength(4);
  expect(events[0]).toMatchObject(event);
});

describe('what does not run is told by its name', () => {
  test.each<[string, (stack: Stack) => void, RegExp]>([
    [
      'a rule of patterns',
      (stack) => {
        const targets = [new LambdaFunction(fnIn(stack))];
        new Rule(stack, 'Any', { eventPattern: { source: ['aws.ec2'] }, targets });
      },
      /^Any\w+ \(AWS::Events::Rule\) in theirs: property EventPattern is not supported/,
    ],
    [
      'a function fed by a queue',
      (stack) => fnIn(stack).addEventSource(new SqsEventSource(new Queue(stack, 'Work'))),
      /event source arn:aws:sqs:\S+ is not a Kinesis stream\./,
    ],
    [
      'a function fed by a table',
      (stack) =>
        fnIn(stack).addEventSource(
          new DynamoEventSource(tableIn(stack, { stream: StreamViewType.NEW_IMAGE }) as never, {
            startingPosition: StartingPosition.LATEST,
          }),
        ),
      /^Rows\w+ \(AWS::DynamoDB::Table\) in theirs: property StreamSpecification is not supported/,
    ],
    [
      'a function’s address',
      (stack) => void fnIn(stack).addFunctionUrl(),
      /\(AWS::Lambda::Url\) in theirs: the type is not supported by the local cloud\./,
    ],
    [
      'a function of another language',
      (stack) => void fnIn(stack, 'Own', { runtime: Runtime.PYTHON_3_13 }),
      /: runtime python3\.13 is not supported\./,
    ],
  ])('%s', async (_what, build, message) => {
    await expect(start(build)).rejects.toThrow(message);
  });

  test('a handler of no function', async () => {
    await expect(
      start((stack) => void fnIn(stack), { handlers: { Other: () => 1 } }),
    ).rejects.toThrow(
      /^handlers\['Other'\] is of no function: the templates have theirs-own\S+\.$/,
    );
  });

  test('neither an app nor a template, or both', async () => {
    const message = /^A cloud is of one app: give cdkOut/;
    await expect(startCloud({})).rejects.toThrow(message);
    await expect(startCloud({ cdkOut: 'x', template: {} })).rejects.toThrow(message);
  });
});
