import { Match } from 'aws-cdk-lib/assertions';
import type { Template } from 'aws-cdk-lib/assertions';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ticketsInput } from '#test/config/pipeline-input';
import { only, removeTemporary, synthesize } from '#test/infra/synthesize';

afterAll(removeTemporary);

const RUN = 'penstock-test-tickets-run';
const KEY = 'arn:aws:kms:eu-west-1:111122223333:key/1234abcd';

let run: Template;
beforeAll(async () => {
  run = (await synthesize([ticketsInput()])).template(RUN);
});

const runOf = async (...ask: Parameters<typeof synthesize>) =>
  (await synthesize(...ask)).template(RUN);

describe('the event source mapping', () => {
  test('CDK-07: leaves nothing at its default', () => {
    const mapping = only(run, 'AWS::Lambda::EventSourceMapping');
    expect(mapping).toMatchObject({
      BatchSize: 210,
      MaximumBatchingWindowInSeconds: 4,
      ParallelizationFactor: 2,
      MaximumRetryAttempts: 33,
      MaximumRecordAgeInSeconds: 13 * 3_600,
      BisectBatchOnFunctionError: true,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      StartingPosition: 'TRIM_HORIZON',
      Enabled: true,
    });
    expect(mapping['DestinationConfig']).toEqual({
      OnFailure: { Destination: arnOf('s3', ':::penstock-test-tickets-refused-') },
    });
  });

  test('retries until a record is too old, unless the file bounds the attempts', async () => {
    const { consumers } = ticketsInput();
    const { retryAttempts: _, ...unbounded } = consumers[0]!;
    const mapping = only(
      await runOf([ticketsInput({ consumers: [unbounded] })]),
      'AWS::Lambda::EventSourceMapping',
    );
    expect(mapping['MaximumRetryAttempts']).toBe(-1);
  });

  test('CDK-07: gives a record up before it leaves the stream', async () => {
    const { template } = await synthesize([ticketsInput()]);
    const stream = only(template('penstock-test-tickets-data'), 'AWS::Kinesis::Stream');
    const mapping = only(template(RUN), 'AWS::Lambda::EventSourceMapping');
    const retentionSec = Number(stream['RetentionPeriodHours']) * 3_600;
    expect(mapping['MaximumRecordAgeInSeconds']).toBeLessThan(retentionSec);
  });

  test('reads the stream of its pipeline, by name', () => {
    expect(only(run, 'AWS::Lambda::EventSourceMapping')['EventSourceArn']).toEqual(
      regional('kinesis', 'stream/penstock-test-tickets'),
    );
  });
});

describe('the schedule', () => {
  test('CDK-10: is in its own time zone, and no rule of EventBridge', async () => {
    const schedule = { cron: '0 8 * * ? *', timeZone: 'Europe/London' };
    const template = await runOf([ticketsInput({ schedule })]);
    const [group] = Object.keys(template.findResources('AWS::Scheduler::ScheduleGroup'));
    expect(scheduleOf(template, 'poll')).toMatchObject({
      GroupName: { Ref: group },
      ScheduleExpression: 'cron(0 8 * * ? *)',
      ScheduleExpressionTimezone: 'Europe/London',
      FlexibleTimeWindow: { Mode: 'OFF' },
      State: 'ENABLED',
    });
    template.resourceCountIs('AWS::Events::Rule', 0);
  });

  test.each([
    [1, 'rate(1 minute)'],
    [3, 'rate(3 minutes)'],
  ])('every %i is %s', async (everyMinutes, expression) => {
    const template = await runOf([ticketsInput({ schedule: { everyMinutes } })]);
    expect(scheduleOf(template, 'poll')['ScheduleExpression']).toBe(expression);
  });

  test('is alone in its group, by which the scheduler counts', () => {
    expect(only(run, 'AWS::Scheduler::ScheduleGroup')['Name']).toBe('penstock-test-tickets');
  });

  test('a tick that failed is not run again: the next one does its work', () => {
    run.allResourcesProperties('AWS::Lambda::EventInvokeConfig', {
      MaximumRetryAttempts: 0,
      MaximumEventAgeInSeconds: 60,
      Qualifier: '$LATEST',
    });
    run.hasResourceProperties('AWS::Scheduler::Schedule', {
      Target: { RetryPolicy: { MaximumRetryAttempts: 2, MaximumEventAgeInSeconds: 60 } },
    });
  });
});

describe('the functions', () => {
  test('run on the current Node and on arm64, with the memory and time of their settings', () => {
    for (const [FunctionName, MemorySize, Timeout] of [
      ['penstock-test-tickets-poll', 640, 170],
      ['penstock-test-tickets-consume-board', 768, 55],
    ]) {
      run.hasResourceProperties('AWS::Lambda::Function', {
        FunctionName,
        MemorySize,
        Timeout,
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'index.handler',
      });
    }
  });

  test('are told everything by name', () => {
    const bucket = joined('penstock-test-tickets-refused-', '-');
    expect(variablesOf(run, 'poll')).toEqual({
      PENSTOCK_STREAM: 'penstock-test-tickets',
      PENSTOCK_STATE_TABLE: 'penstock-test-state',
      PENSTOCK_QUARANTINE_BUCKET: bucket,
      PENSTOCK_SECRET: 'penstock/test/tickets-token',
      TICKETS_API_URL: { Ref: 'TicketsApiUrl' },
      TICKETS_TEAM: { Ref: 'TicketsTeam' },
      POWERTOOLS_SERVICE_NAME: 'tickets-poll',
      POWERTOOLS_METRICS_NAMESPACE: 'Penstock',
      POWERTOOLS_LOG_LEVEL: 'INFO',
    });
    expect(variablesOf(run, 'consume-board')).toMatchObject({
      PENSTOCK_TABLE: 'penstock-test-tickets-board',
      PENSTOCK_STATE_TABLE: 'penstock-test-state',
      PENSTOCK_QUARANTINE_BUCKET: bucket,
    });
  });

  test('no two polls run at once, unless the account cannot spare the reservation', async () => {
    const reserved = (template: Template) =>
      functionOf(template, 'poll')['ReservedConcurrentExecutions'];
    expect(reserved(run)).toBe(1);
    const without = await runOf([ticketsInput()], { reserveConcurrency: false });
    expect(reserved(without)).toBeUndefined();
    expect(functionOf(run, 'consume-board')).not.toHaveProperty('ReservedConcurrentExecutions');
  });

  test('keep their logs for a month', () => {
    run.allResourcesProperties('AWS::Logs::LogGroup', { RetentionInDays: 30 });
    run.resourceCountIs('AWS::Logs::LogGroup', 3);
  });
});

describe('a setting', () => {
  const parameters = (template: Template) => template.findParameters('*');

  test('without a value is asked for when the stack is deployed', () => {
    expect(parameters(run)['TicketsApiUrl']).not.toHaveProperty('Default');
  });

  test("takes the environment's value before the file's", async () => {
    const environment = { TICKETS_TEAM: 'red', TICKETS_API_URL: 'https://t.example/v1' };
    const given = parameters(await runOf([ticketsInput()], { environment }));
    expect(given['TicketsTeam']!['Default']).toBe('red');
    expect(given['TicketsApiUrl']!['Default']).toBe('https://t.example/v1');
    expect(parameters(run)['TicketsTeam']!['Default']).toBe('all');
  });

  test('is the only parameter of a stack', () => {
    expect(Object.keys(parameters(run)).sort()).toEqual(['TicketsApiUrl', 'TicketsTeam']);
  });
});

describe('a role', () => {
  test('may do what its function calls, and nothing else', () => {
    expect(grantsOf(run, 'Poll').sort()).toEqual([
      'dynamodb:Query',
      'dynamodb:UpdateItem',
      'kinesis:ListShards',
      'kinesis:PutRecords',
      'logs:CreateLogStream',
      'logs:PutLogEvents',
      's3:PutObject',
      'secretsmanager:GetSecretValue',
    ]);
    expect(grantsOf(run, 'Consumer').sort()).toEqual([
      'dynamodb:GetItem',
      'dynamodb:PutItem',
      'dynamodb:UpdateItem',
      'dynamodb:UpdateItem',
      'kinesis:DescribeStream',
      'kinesis:DescribeStreamSummary',
      'kinesis:GetRecords',
      'kinesis:GetShardIterator',
      'kinesis:ListShards',
      'logs:CreateLogStream',
      'logs:PutLogEvents',
      's3:ListBucket',
      's3:PutObject',
      's3:PutObject',
    ]);
  });

  test('what tries again what was given up reads it, calls the consumer, and keeps the rest', () => {
    expect(grantsOf(run, 'RecoveryRecover').sort()).toEqual([
      'dynamodb:GetItem',
      'lambda:InvokeFunction',
      'logs:CreateLogStream',
      'logs:PutLogEvents',
      's3:DeleteObject',
      's3:GetObject',
      's3:ListBucket',
      's3:PutObject',
    ]);
    expect(scheduleOf(run, 'recover')).toMatchObject({ ScheduleExpression: 'rate(5 minutes)' });
  });

  test('names no action and no whole resource by a wildcard', () => {
    for (const { Action, Resource } of statementsOf(run)) {
      expect([Action].flat().filter((action) => action.includes('*'))).toEqual([]);
      expect(Resource).not.toBe('*');
    }
    const text = JSON.stringify(statementsOf(run));
    expect(text.match(/[^"]*\*/g)?.sort()).toEqual([
      '/aws/lambda/*',
      '/aws/lambda/*',
      '/board/*',
      '/board/given-up/*',
      '/poll/*',
    ]);
  });

  test('reaches the one secret, whose ARN ends in six characters', () => {
    expect(statement(run, 'secretsmanager:GetSecretValue').Resource).toEqual(
      regional('secretsmanager', 'secret:penstock/test/tickets-token-??????'),
    );
  });

  test('of the state table touches only its own items', () => {
    const conditions = statementsOf(run)
      .filter(({ Action }) => [Action].flat().includes('dynamodb:UpdateItem'))
      .filter(({ Resource }) => JSON.stringify(Resource).includes('table/penstock-test-state'))
      .map(({ Condition }) => Condition);
    expect(conditions).toEqual(
      ['poll#tickets', 'checkpoint#tickets#board'].map((key) => ({
        'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': [key] },
      })),
    );
  });

  test('of the rate budgets touches the one that its source names', async () => {
    const input = ticketsInput();
    const source = { ...input.source, rate: { requests: 10, api: 'shop' } };
    const template = await runOf([{ ...input, source }]);
    const rates = statementsOf(template, 'Poll').filter(({ Condition }) =>
      JSON.stringify(Condition ?? {}).includes('rate#'),
    );
    expect(rates).toMatchObject([
      {
        Action: ['dynamodb:GetItem', 'dynamodb:UpdateItem'],
        Condition: { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['rate#shop'] } },
      },
    ]);
  });

  test('lets the poll see how far its own consumers are, where it heeds them', async () => {
    const { Condition, Resource } = statement(run, 'dynamodb:Query');
    expect(Condition).toEqual({
      'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['checkpoint#tickets#board'] },
    });
    expect(JSON.stringify(Resource)).toContain('table/penstock-test-state');
    const { poll } = ticketsInput();
    const heedless = await runOf([
      ticketsInput({ poll: { ...poll, behind: { reaction: 'ignore' } } }),
    ]);
    expect(grantsOf(heedless, 'Poll')).not.toContain('dynamodb:Query');
  });

  test('CDK-04: reads and writes a stream under a key of the user with that very key', async () => {
    const input = ticketsInput();
    const template = await runOf([{ ...input, stream: { ...input.stream, kmsKeyArn: KEY } }]);
    expect(statement(template, 'kms:GenerateDataKey').Resource).toBe(KEY);
    expect(statement(template, 'kms:Decrypt').Resource).toBe(KEY);
    expect(grantsOf(template, 'Poll')).toContain('kms:GenerateDataKey');
    expect(grantsOf(template, 'Consumer')).toContain('kms:Decrypt');
  });

  test('is assumed by its service alone; the schedule only starts its function', () => {
    run.hasResourceProperties('AWS::IAM::Role', {
      AssumeRolePolicyDocument: {
        Statement: [
          Match.objectLike({
            Principal: { Service: 'scheduler.amazonaws.com' },
            Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
          }),
        ],
      },
    });
    expect(grantsOf(run, 'PollScheduleRole')).toEqual(['lambda:InvokeFunction']);
  });
});

test('CDK-12: no template names a partition, an account or a region', async () => {
  const { template, stacks } = await synthesize([ticketsInput()]);
  for (const stack of stacks) {
    const text = JSON.stringify(template(stack).toJSON());
    expect(text).not.toMatch(/arn:aws|\b\d{12}\b|us-east-1/);
  }
});

test("a function's code has the same hash wherever it is built", async () => {
  const codes = async () =>
    Object.values((await runOf([ticketsInput()])).findResources('AWS::Lambda::Function')).map(
      ({ Properties }) => Properties['Code']['S3Key'],
    );
  const here = await codes();
  expect(here).toHaveLength(3);
  expect(await codes()).toEqual(here);
});

test('no stack exports to another, so that none is locked by another', async () => {
  const { template, stacks } = await synthesize([ticketsInput()]);
  expect(stacks).toEqual(['penstock-test-shared', 'penstock-test-tickets-data', RUN]);
  for (const stack of stacks) {
    expect(JSON.stringify(template(stack).toJSON())).not.toMatch(/Fn::ImportValue|"Outputs"/);
  }
});

interface Statement {
  readonly Action: string | string[];
  readonly Resource: unknown;
  readonly Condition?: unknown;
}

function statementsOf(template: Template, prefix = ''): Statement[] {
  return Object.entries(template.findResources('AWS::IAM::Role'))
    .filter(([id]) => id.startsWith(prefix) && (prefix !== 'Poll' || !id.startsWith('PollSch')))
    .flatMap(([, { Properties }]) => Properties['Policies'])
    .flatMap((policy) => policy.PolicyDocument.Statement);
}

const grantsOf = (template: Template, prefix: string) =>
  statementsOf(template, prefix).flatMap(({ Action }) => Action);

const statement = (template: Template, action: string) =>
  statementsOf(template).find(({ Action }) => Action === action)!;

function scheduleOf(template: Template, suffix: string): Record<string, unknown> {
  const schedules = Object.values(template.findResources('AWS::Scheduler::Schedule'));
  return schedules
    .map(({ Properties }) => Properties)
    .find(({ Name }) => Name === `penstock-test-tickets-${suffix}`);
}

function functionOf(template: Template, suffix: string): Record<string, never> {
  return Object.values(template.findResources('AWS::Lambda::Function'))
    .map(({ Properties }) => Properties)
    .find(({ FunctionName }) => FunctionName === `penstock-test-tickets-${suffix}`);
}

const variablesOf = (template: Template, suffix: string) =>
  functionOf(template, suffix)['Environment']!['Variables'];

const joined = (first: string, between: string, before: readonly unknown[] = []) => ({
  'Fn::Join': ['', [...before, first, { Ref: 'AWS::AccountId' }, between, { Ref: 'AWS::Region' }]],
});

const arnOf = (service: string, rest: string) =>
  joined(`:${service}${rest}`, '-', ['arn:', { Ref: 'AWS::Partition' }]);

const regional = (service: string, resource: string) => ({
  'Fn::Join': [
    '',
    [
      'arn:',
      { Ref: 'AWS::Partition' },
      `:${service}:`,
      { Ref: 'AWS::Region' },
      ':',
      { Ref: 'AWS::AccountId' },
      `:${resource}`,
    ],
  ],
});
