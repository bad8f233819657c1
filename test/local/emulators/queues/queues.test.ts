import { expect } from 'vitest';
import { openStorage } from '#local/storage';
import { ruleTest } from '#test/local/rules/rule-test';
import { codeOf, queueCloud } from './queue-cloud.ts';

ruleTest('queues', 'queue-made', async () => {
  const { make, attributes, call } = queueCloud();
  const QueueUrl = 'http://127.0.0.1:4566/000000000000/jobs';
  expect((await make('jobs')).body).toEqual({ QueueUrl });
  expect((await call('GetQueueUrl', { QueueName: 'jobs' })).body).toEqual({ QueueUrl });
  expect(await attributes('jobs')).toEqual({
    QueueArn: 'arn:aws:sqs:us-east-1:000000000000:jobs',
    ApproximateNumberOfMessages: '0',
    ApproximateNumberOfMessagesNotVisible: '0',
    ApproximateNumberOfMessagesDelayed: '0',
    CreatedTimestamp: '1777863721',
    LastModifiedTimestamp: '1777863721',
    DelaySeconds: '0',
    MaximumMessageSize: '1048576',
    MessageRetentionPeriod: '345600',
    ReceiveMessageWaitTimeSeconds: '0',
    VisibilityTimeout: '30',
  });
});

ruleTest('queues', 'queue-url-host', async () => {
  const { make, call } = queueCloud();
  await make('jobs');
  const QueueUrl = 'https://sqs.us-east-1.amazonaws.com/111111111111/jobs';
  expect((await call('SendMessage', { QueueUrl, MessageBody: 'x' })).status).toBe(200);
});

ruleTest('queues', 'queue-made-again', async () => {
  const { make, send, bodies } = queueCloud();
  await make('jobs', { VisibilityTimeout: '7' });
  await send('jobs', 'kept');
  expect((await make('jobs', { VisibilityTimeout: '7' })).status).toBe(200);
  const other = await make('jobs', { VisibilityTimeout: '8' });
  expect([codeOf(other), other.body.message]).toEqual([
    'QueueNameExists',
    'A queue already exists with the same name and a different value for attribute VisibilityTimeout',
  ]);
  expect(other.headers['x-amzn-query-error']).toBe('QueueAlreadyExists;Sender');
  expect(await bodies('jobs')).toEqual(['kept']);
});

ruleTest('queues', 'queue-name', async () => {
  const { make } = queueCloud();
  expect((await make('a'.repeat(80))).status).toBe(200);
  for (const name of ['a'.repeat(81), 'a b', 'a.b', 'ä']) {
    expect(codeOf(await make(name))).toBe('InvalidParameterValue');
  }
  expect(codeOf(await make(''))).toBe('MissingParameter');
});

ruleTest('queues', 'queue-attributes-bounds', async () => {
  const bounds: [string, number, number][] = [
    ['DelaySeconds', 0, 900],
    ['MaximumMessageSize', 1_024, 1_048_576],
    ['MessageRetentionPeriod', 60, 1_209_600],
    ['ReceiveMessageWaitTimeSeconds', 0, 20],
    ['VisibilityTimeout', 0, 43_200],
  ];
  for (const [name, low, high] of bounds) {
    const { make } = queueCloud();
    expect((await make('low', { [name]: String(low) })).status).toBe(200);
    expect((await make('high', { [name]: String(high) })).status).toBe(200);
    for (const wrong of [String(low - 1), String(high + 1), 'many', '']) {
      const refused = await make('wrong', { [name]: wrong });
      expect([codeOf(refused), refused.body.message]).toEqual([
        'InvalidAttributeValue',
        `Invalid value for the parameter ${name}.`,
      ]);
    }
  }
});

ruleTest('queues', 'queue-attribute-unknown', async () => {
  const { make, call, urlOf } = queueCloud();
  await make('jobs');
  const asked = { QueueUrl: urlOf('jobs'), AttributeNames: ['Colour'] };
  for (const answer of [
    await make('other', { Colour: 'red' }),
    await call('GetQueueAttributes', asked),
  ]) {
    expect([codeOf(answer), answer.body.message]).toEqual([
      'InvalidAttributeName',
      'Unknown Attribute Colour.',
    ]);
  }
});

ruleTest('queues', 'queue-attribute-kept', async () => {
  const { make, call, attributes, urlOf, clock } = queueCloud();
  await make('jobs', { VisibilityTimeout: '7', DelaySeconds: '3' });
  await clock.step(5_000);
  await call('SetQueueAttributes', { QueueUrl: urlOf('jobs'), Attributes: { DelaySeconds: '4' } });
  expect(await attributes('jobs')).toMatchObject({
    VisibilityTimeout: '7',
    DelaySeconds: '4',
    CreatedTimestamp: '1777863721',
    LastModifiedTimestamp: '1777863726',
  });
});

ruleTest('queues', 'queue-attribute-unsupported', async () => {
  const { make } = queueCloud();
  for (const name of ['RedriveAllowPolicy', 'DeduplicationScope']) {
    const refused = await make('jobs', { [name]: 'messageGroup' });
    expect([codeOf(refused), refused.body.message]).toEqual([
      'UnsupportedOperation',
      `emulator limit: parameter ${name} is not supported by the local cloud`,
    ]);
  }
});

ruleTest('queues', 'queue-encryption', async () => {
  const { make, send, bodies } = queueCloud();
  await make('jobs', { KmsMasterKeyId: 'alias/own', SqsManagedSseEnabled: 'true', Policy: '{}' });
  await send('jobs', 'x');
  expect(await bodies('jobs')).toEqual(['x']);
});

ruleTest('queues', 'queue-absent', async () => {
  const { call, urlOf, queues } = queueCloud();
  for (const [operation, input] of [
    ['GetQueueUrl', { QueueName: 'none' }],
    ['SendMessage', { QueueUrl: urlOf('none'), MessageBody: 'x' }],
    ['ReceiveMessage', { QueueUrl: urlOf('none') }],
  ] as const) {
    const answer = await call(operation, input);
    expect([answer.status, answer.body]).toEqual([
      400,
      {
        __type: 'com.amazonaws.sqs#QueueDoesNotExist',
        message: 'The specified queue does not exist.',
      },
    ]);
    expect(answer.headers['x-amzn-query-error']).toBe(
      'AWS.SimpleQueueService.NonExistentQueue;Sender',
    );
  }
  expect(() => queues.send('none', 'x')).toThrow('The specified queue does not exist.');
});

ruleTest('queues', 'queue-list', async () => {
  const { make, call } = queueCloud();
  for (const name of ['b2', 'a1', 'b1', 'b3']) await make(name);
  const names = (answer: { body: { QueueUrls: string[] } }) =>
    answer.body.QueueUrls.map((url) => url.split('/').at(-1));
  expect(names(await call('ListQueues', {}))).toEqual(['a1', 'b1', 'b2', 'b3']);
  const first = await call('ListQueues', { QueueNamePrefix: 'b', MaxResults: 2 });
  expect(names(first)).toEqual(['b1', 'b2']);
  const { NextToken } = first.body;
  const second = await call('ListQueues', { QueueNamePrefix: 'b', MaxResults: 2, NextToken });
  expect([names(second), second.body.NextToken]).toEqual([['b3'], undefined]);
  expect((await call('ListQueues', { QueueNamePrefix: 'c' })).body).toEqual({});
});

ruleTest('queues', 'queue-deleted', async () => {
  const { make, call, send, bodies, urlOf } = queueCloud();
  await make('jobs');
  await send('jobs', 'old');
  await call('DeleteQueue', { QueueUrl: urlOf('jobs') });
  expect(codeOf(await send('jobs', 'x'))).toBe('QueueDoesNotExist');
  await make('jobs');
  expect(await bodies('jobs')).toEqual([]);
});

ruleTest('queues', 'queue-purge', async () => {
  const { make, call, send, bodies, urlOf, clock } = queueCloud();
  await make('jobs');
  await send('jobs', 'a');
  const purge = () => call('PurgeQueue', { QueueUrl: urlOf('jobs') });
  expect((await purge()).status).toBe(200);
  expect(await bodies('jobs')).toEqual([]);
  await clock.step(59_999);
  expect(codeOf(await purge())).toBe('PurgeQueueInProgress');
  await clock.step(1);
  expect((await purge()).status).toBe(200);
});

ruleTest('queues', 'queue-counts', async () => {
  const { make, send, receive, attributes } = queueCloud();
  await make('jobs');
  for (const body of ['a', 'b', 'c']) await send('jobs', body);
  for (const body of ['d', 'e']) await send('jobs', body, { DelaySeconds: 5 });
  await receive('jobs');
  expect(await attributes('jobs')).toMatchObject({
    ApproximateNumberOfMessages: '2',
    ApproximateNumberOfMessagesNotVisible: '1',
    ApproximateNumberOfMessagesDelayed: '2',
  });
});

ruleTest('queues', 'queue-counts-exact', async () => {
  const { make, send, attributes } = queueCloud();
  await make('jobs');
  for (let count = 1; count <= 7; count++) {
    await send('jobs', 'x');
    expect((await attributes('jobs'))['ApproximateNumberOfMessages']).toBe(String(count));
  }
});

ruleTest('queues', 'kept', async () => {
  const storage = openStorage();
  const first = queueCloud({ storage });
  await first.make('jobs', { VisibilityTimeout: '9' });
  await first.send('jobs', 'kept');
  const second = queueCloud({ storage });
  second.queues.createQueue('jobs', { VisibilityTimeout: '11' });
  expect((await second.attributes('jobs'))['VisibilityTimeout']).toBe('11');
  expect(await second.bodies('jobs')).toEqual(['kept']);
});

ruleTest('queues', 'services-send', async () => {
  const { make, receive, queues } = queueCloud();
  await make('jobs');
  queues.send('jobs', 'by name');
  const ErrorCode = { DataType: 'Number', StringValue: '200' };
  queues.send('arn:aws:sqs:us-east-1:000000000000:jobs', 'by ARN', { ErrorCode });
  const { body } = await receive('jobs', {
    MaxNumberOfMessages: 10,
    MessageAttributeNames: ['All'],
  });
  expect(body.Messages).toMatchObject([
    { Body: 'by name' },
    { Body: 'by ARN', MessageAttributes: { ErrorCode } },
  ]);
});
