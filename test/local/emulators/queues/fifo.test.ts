import fc from 'fast-check';
import { expect } from 'vitest';
import { ruleTest } from '#test/local/rules/rule-test';
import { codeOf, queueCloud } from './queue-cloud.ts';

async function line(attributes: object = {}) {
  const cloud = queueCloud();
  await cloud.make('line.fifo', { FifoQueue: 'true', ...attributes });
  const post = (body: string, group = 'g', dedupe = body) =>
    cloud.send('line.fifo', body, { MessageGroupId: group, MessageDeduplicationId: dedupe });
  const QueueUrl = cloud.urlOf('line.fifo');
  const remove = (ReceiptHandle: string) =>
    cloud.call('DeleteMessage', { QueueUrl, ReceiptHandle });
  return { ...cloud, post, remove, bodies: () => cloud.bodies('line.fifo') };
}

ruleTest('queues', 'fifo-order', async () => {
  const { post, receive, bodies, remove, clock } = await line();
  for (const body of ['a1', 'a2', 'b1', 'a3']) await post(body, body.slice(0, 1));
  const first = (await receive('line.fifo')).body.Messages[0];
  expect(first.Body).toBe('a1');
  expect(await bodies()).toEqual(['b1']);
  await remove(first.ReceiptHandle);
  expect(await bodies()).toEqual(['a2', 'a3']);
  await clock.step(30_000);
  expect(await bodies()).toEqual(['a2', 'b1', 'a3']);
});

ruleTest(
  'queues',
  'fifo-order',
  async () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('post' as const), group: fc.constantFrom('a', 'b') }),
      fc.record({ kind: fc.constant('take' as const), isKept: fc.boolean() }),
      fc.record({ kind: fc.constant('wait' as const) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const { post, receive, remove, clock } = await line();
        const done: Record<string, number[]> = { a: [], b: [] };
        const inHand = new Map<string, string>();
        let number = 0;
        for (const one of steps) {
          if (one.kind === 'post') await post(`${one.group}${number++}`, one.group);
          else if (one.kind === 'wait') {
            await clock.step(30_000);
            inHand.clear();
          } else {
            const [message] = (await receive('line.fifo')).body.Messages ?? [];
            if (message === undefined) continue;
            const group = message.Body.slice(0, 1) as string;
            expect(inHand.has(group)).toBe(false);
            if (one.isKept) inHand.set(group, message.ReceiptHandle);
            else {
              await remove(message.ReceiptHandle);
              done[group]!.push(Number(message.Body.slice(1)));
            }
          }
        }
        for (const numbers of Object.values(done)) {
          expect(numbers).toEqual([...numbers].sort((one, other) => one - other));
        }
      }),
      { numRuns: Number(process.env['QUEUE_RUNS'] ?? 40) },
    );
  },
  'whatever receivers do',
);

ruleTest(
  'queues',
  'fifo-order',
  async () => {
    const { post, receive, bodies, call, urlOf, clock } = await line();
    for (const body of ['a1', 'a2']) await post(body);
    const [first] = (await receive('line.fifo', { MaxNumberOfMessages: 2 })).body.Messages;
    const QueueUrl = urlOf('line.fifo');
    const { ReceiptHandle } = first;
    await call('ChangeMessageVisibility', { QueueUrl, ReceiptHandle, VisibilityTimeout: 0 });
    expect(await bodies()).toEqual([]);
    await clock.step(30_000);
    expect(await bodies()).toEqual(['a1', 'a2']);
  },
  'also when an earlier one is given back',
);

ruleTest('queues', 'fifo-dedupe', async () => {
  const { post, bodies, clock } = await line();
  const first = await post('a', 'g', 'same');
  const again = await post('b', 'g', 'same');
  expect(again.body).toMatchObject({
    MessageId: first.body.MessageId,
    SequenceNumber: first.body.SequenceNumber,
  });
  expect(await bodies()).toEqual(['a']);
  await clock.step(299_999);
  await post('c', 'g', 'same');
  expect(await bodies()).toEqual(['a']);
  await clock.step(1);
  await post('d', 'g', 'same');
  await clock.step(30_000);
  expect(await bodies()).toEqual(['a', 'd']);
});

ruleTest('queues', 'fifo-content-dedupe', async () => {
  const { send, bodies } = await line({ ContentBasedDeduplication: 'true' });
  for (const body of ['a', 'b', 'a']) await send('line.fifo', body, { MessageGroupId: 'g' });
  expect(await bodies()).toEqual(['a', 'b']);
});

ruleTest('queues', 'fifo-refused', async () => {
  const { send, make } = await line();
  const refusals: [object, string][] = [
    [{}, 'must contain the parameter MessageGroupId'],
    [{ MessageGroupId: 'g' }, 'ContentBasedDeduplication enabled or MessageDeduplicationId'],
    [{ MessageGroupId: 'g h', MessageDeduplicationId: 'd' }, 'MessageGroupId can only include'],
    [
      { MessageGroupId: 'g', MessageDeduplicationId: 'd', DelaySeconds: 1 },
      'DelaySeconds is invalid',
    ],
  ];
  for (const [more, words] of refusals) {
    expect((await send('line.fifo', 'x', more)).body.message).toContain(words);
  }
  await make('standard');
  const answer = await send('standard', 'x', { MessageDeduplicationId: 'd' });
  expect(codeOf(answer)).toBe('InvalidParameterValue');
});

ruleTest('queues', 'fifo-name', async () => {
  const { make } = queueCloud();
  expect(codeOf(await make('plain', { FifoQueue: 'true' }))).toBe('InvalidParameterValue');
  expect(codeOf(await make('line.fifo'))).toBe('InvalidParameterValue');
  expect(codeOf(await make('line.fifo', { FifoQueue: 'false' }))).toBe('InvalidParameterValue');
  expect((await make('line.fifo', { FifoQueue: 'true' })).status).toBe(200);
});
