import { expect } from 'vitest';
import { ruleTest } from '#test/local/rules/rule-test';
import { codeOf, queueCloud, START_MS } from './queue-cloud.ts';

async function jobs(attributes: object = {}, ...bodies: readonly string[]) {
  const cloud = queueCloud();
  await cloud.make('jobs', attributes);
  for (const body of bodies) await cloud.send('jobs', body);
  return cloud;
}

ruleTest('queues', 'receive-count', async () => {
  const bodies = Array.from({ length: 12 }, (_, n) => `m${n}`);
  const { receive } = await jobs({}, ...bodies);
  expect((await receive('jobs')).body.Messages).toHaveLength(1);
  expect((await receive('jobs', { MaxNumberOfMessages: 10 })).body.Messages).toHaveLength(10);
  expect((await receive('jobs', { MaxNumberOfMessages: 10 })).body.Messages).toHaveLength(1);
});

ruleTest('queues', 'receive-order', async () => {
  const { bodies } = await jobs({}, 'c', 'a', 'b');
  expect(await bodies('jobs')).toEqual(['c', 'a', 'b']);
});

ruleTest('queues', 'receive-bounds', async () => {
  const { receive } = await jobs();
  const wrong: [object, string][] = [
    [{ MaxNumberOfMessages: 0 }, 'Must be between 1 and 10, if provided.'],
    [{ MaxNumberOfMessages: 11 }, 'Must be between 1 and 10, if provided.'],
    [{ VisibilityTimeout: 43_201 }, 'Must be >= 0 and <= 43200, if provided.'],
    [{ WaitTimeSeconds: 21 }, 'Must be >= 0 and <= 20, if provided.'],
  ];
  for (const [input, reason] of wrong) {
    const refused = await receive('jobs', input);
    const [[name, value]] = Object.entries(input) as [[string, number]];
    expect([codeOf(refused), refused.body.message]).toEqual([
      'InvalidParameterValue',
      `Value ${value} for parameter ${name} is invalid. Reason: ${reason}`,
    ]);
  }
});

ruleTest('queues', 'receive-none', async () => {
  const { receive } = await jobs();
  expect((await receive('jobs')).body).toEqual({});
});

ruleTest('queues', 'receive-hides', async () => {
  const { bodies, clock } = await jobs({}, 'a');
  expect(await bodies('jobs')).toEqual(['a']);
  await clock.step(29_999);
  expect(await bodies('jobs')).toEqual([]);
  await clock.step(1);
  expect(await bodies('jobs', { VisibilityTimeout: 0 })).toEqual(['a']);
  expect(await bodies('jobs')).toEqual(['a']);
});

ruleTest('queues', 'receive-long', async () => {
  const { receive, send, clock } = await jobs();
  const waiting = receive('jobs', { WaitTimeSeconds: 20 });
  let isDone = false;
  void waiting.then(() => (isDone = true));
  await clock.step(19_999);
  expect(isDone).toBe(false);
  await send('jobs', 'at last');
  expect((await waiting).body.Messages).toMatchObject([{ Body: 'at last' }]);
  const inVain = receive('jobs', { WaitTimeSeconds: 3 });
  await clock.step(3_000);
  expect((await inVain).body).toEqual({});
});

ruleTest(
  'queues',
  'receive-long',
  async () => {
    const { bodies, send, clock } = await jobs({ ReceiveMessageWaitTimeSeconds: '9' });
    const waiting = bodies('jobs');
    await clock.step(8_999);
    await send('jobs', 'x');
    expect(await waiting).toEqual(['x']);
  },
  'the queue’s own wait',
);

ruleTest(
  'queues',
  'receive-long',
  async () => {
    const { receive, queues } = await jobs();
    const waiting = receive('jobs', { WaitTimeSeconds: 20 });
    await Promise.resolve();
    queues.stop();
    expect((await waiting).body).toEqual({});
  },
  'ended when the cloud stops',
);

ruleTest('queues', 'receive-long-hidden', async () => {
  const { bodies, clock } = await jobs({ VisibilityTimeout: '10' }, 'a');
  await bodies('jobs');
  const waiting = bodies('jobs', { WaitTimeSeconds: 20 });
  await clock.step(10_000);
  expect(await waiting).toEqual(['a']);
});

ruleTest('queues', 'receive-in-flight', async () => {
  const { make, send, receive, clock } = queueCloud({ limits: { inFlightMax: 3 } });
  await make('jobs');
  for (const body of ['a', 'b', 'c', 'd']) await send('jobs', body);
  expect((await receive('jobs', { MaxNumberOfMessages: 10 })).body.Messages).toHaveLength(3);
  expect(codeOf(await receive('jobs'))).toBe('OverLimit');
  await clock.step(30_000);
  expect((await receive('jobs')).body.Messages).toHaveLength(1);
});

ruleTest('queues', 'receive-once', async () => {
  const sent = Array.from({ length: 20 }, (_, n) => `m${n}`);
  const { bodies } = await jobs({}, ...sent);
  const got = await Promise.all([1, 2, 3].map(() => bodies('jobs', { MaxNumberOfMessages: 7 })));
  expect(got.flat().sort()).toEqual([...sent].sort());
});

ruleTest('queues', 'attributes-system', async () => {
  const { receive, clock } = await jobs({}, 'a');
  await clock.step(2_000);
  await receive('jobs');
  await clock.step(31_000);
  const MessageSystemAttributeNames = ['All'];
  const [message] = (await receive('jobs', { MessageSystemAttributeNames })).body.Messages;
  expect(message.Attributes).toEqual({
    SenderId: '000000000000',
    SentTimestamp: String(START_MS),
    ApproximateReceiveCount: '2',
    ApproximateFirstReceiveTimestamp: String(START_MS + 2_000),
  });
  await clock.step(31_000);
  const AttributeNames = ['ApproximateReceiveCount'];
  const [again] = (await receive('jobs', { AttributeNames })).body.Messages;
  expect(again.Attributes).toEqual({ ApproximateReceiveCount: '3' });
});

ruleTest('queues', 'retention', async () => {
  const { bodies, clock } = await jobs({ MessageRetentionPeriod: '60' }, 'a');
  await clock.step(59_999);
  expect(await bodies('jobs', { VisibilityTimeout: 0 })).toEqual(['a']);
  await clock.step(1);
  expect(await bodies('jobs')).toEqual([]);
  const standard = await jobs({}, 'a');
  await standard.clock.step(4 * 86_400_000 - 1);
  expect(await standard.bodies('jobs', { VisibilityTimeout: 0 })).toEqual(['a']);
  await standard.clock.step(1);
  expect(await standard.bodies('jobs')).toEqual([]);
});

const redriveTo = (name: string, maxReceiveCount: unknown = 2) => ({
  RedrivePolicy: JSON.stringify({
    deadLetterTargetArn: `arn:aws:sqs:us-east-1:000000000000:${name}`,
    maxReceiveCount,
  }),
});

ruleTest('queues', 'redrive', async () => {
  const { make, send, bodies, receive, clock } = queueCloud();
  await make('dead');
  await make('jobs', redriveTo('dead'));
  await send('jobs', 'poison');
  for (let count = 0; count < 2; count++) {
    expect(await bodies('jobs')).toEqual(['poison']);
    await clock.step(30_000);
  }
  await send('jobs', 'good');
  expect(await bodies('dead')).toEqual([]);
  expect(await bodies('jobs', { MaxNumberOfMessages: 1 })).toEqual(['good']);
  const [message] = (await receive('dead', { AttributeNames: ['All'] })).body.Messages;
  expect([message.Body, message.Attributes]).toMatchObject([
    'poison',
    {
      ApproximateReceiveCount: '3',
      DeadLetterQueueSourceArn: 'arn:aws:sqs:us-east-1:000000000000:jobs',
    },
  ]);
});

ruleTest('queues', 'redrive-age', async () => {
  for (const [end, isKept] of [
    ['', false],
    ['.fifo', true],
  ] as const) {
    const { make, send, bodies, clock } = queueCloud();
    const fifo = end === '' ? {} : { FifoQueue: 'true' };
    await make(`dead${end}`, { ...fifo, MessageRetentionPeriod: '100' });
    await make(`jobs${end}`, { ...fifo, ...redriveTo(`dead${end}`, 1) });
    const order = { MessageGroupId: 'g', MessageDeduplicationId: 'd' };
    await send(`jobs${end}`, 'x', end === '' ? {} : order);
    await bodies(`jobs${end}`);
    await clock.step(90_000);
    await bodies(`jobs${end}`);
    await clock.step(10_000);
    expect(await bodies(`dead${end}`)).toEqual(isKept ? ['x'] : []);
  }
});

ruleTest('queues', 'redrive-refused', async () => {
  const { make } = queueCloud();
  await make('dead');
  await make('dead.fifo', { FifoQueue: 'true' });
  const wrong: [object, string][] = [
    [redriveTo('none'), 'Dead letter target does not exist'],
    [redriveTo('dead.fifo'), 'must be same type of queue'],
    [redriveTo('dead', 0), 'valid values are from 1 to 1000'],
    [redriveTo('dead', 1_001), 'valid values are from 1 to 1000'],
    [{ RedrivePolicy: '{' }, 'Redrive policy is not a valid JSON map'],
    [{ RedrivePolicy: '{"maxReceiveCount":3}' }, 'mandatory attribute: deadLetterTargetArn'],
  ];
  for (const [attributes, reason] of wrong) {
    const refused = await make('jobs', attributes);
    expect(codeOf(refused)).toBe('InvalidParameterValue');
    expect(refused.body.message).toContain(reason);
  }
});
