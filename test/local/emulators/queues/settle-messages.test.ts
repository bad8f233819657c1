import { expect } from 'vitest';
import { ruleTest } from '#test/local/rules/rule-test';
import { codeOf, queueCloud } from './queue-cloud.ts';

/** A queue with messages that were received, and their receipts. */
async function received(...bodies: readonly string[]) {
  const cloud = queueCloud();
  await cloud.make('jobs');
  for (const body of bodies) await cloud.send('jobs', body);
  const { body } = await cloud.receive('jobs', { MaxNumberOfMessages: 10 });
  const receipts = body.Messages.map((one: { ReceiptHandle: string }) => one.ReceiptHandle);
  const QueueUrl = cloud.urlOf('jobs');
  const remove = (ReceiptHandle: string) =>
    cloud.call('DeleteMessage', { QueueUrl, ReceiptHandle });
  const hide = (ReceiptHandle: string, VisibilityTimeout: number) =>
    cloud.call('ChangeMessageVisibility', { QueueUrl, ReceiptHandle, VisibilityTimeout });
  return { ...cloud, QueueUrl, receipts: receipts as string[], remove, hide };
}

ruleTest('queues', 'delete-last-receipt', async () => {
  const { receipts, remove, bodies, clock } = await received('a');
  expect((await remove(receipts[0]!)).status).toBe(200);
  expect((await remove(receipts[0]!)).status).toBe(200);
  await clock.step(60_000);
  expect(await bodies('jobs')).toEqual([]);
});

ruleTest('queues', 'delete-old-receipt', async () => {
  const { receipts, remove, bodies, clock } = await received('a');
  await clock.step(30_000);
  await bodies('jobs');
  expect((await remove(receipts[0]!)).status).toBe(200);
  await clock.step(30_000);
  expect(await bodies('jobs')).toEqual(['a']);
});

ruleTest('queues', 'delete-wrong-receipt', async () => {
  const { receipts, remove, make, call, urlOf } = await received('a');
  await make('other');
  const ofOther = { QueueUrl: urlOf('other'), ReceiptHandle: receipts[0]! };
  for (const answer of [await remove('nonsense'), await call('DeleteMessage', ofOther)]) {
    expect(codeOf(answer)).toBe('ReceiptHandleIsInvalid');
  }
});

ruleTest('queues', 'delete-batch', async () => {
  const { receipts, call, QueueUrl, bodies, clock } = await received('a', 'b');
  const Entries = [
    { Id: 'one', ReceiptHandle: receipts[0] },
    { Id: 'two', ReceiptHandle: 'nonsense' },
  ];
  const { body } = await call('DeleteMessageBatch', { QueueUrl, Entries });
  expect(body).toMatchObject({
    Successful: [{ Id: 'one' }],
    Failed: [{ Id: 'two', Code: 'ReceiptHandleIsInvalid', SenderFault: true }],
  });
  await clock.step(30_000);
  expect(await bodies('jobs')).toEqual(['b']);
});

ruleTest('queues', 'visibility-changed', async () => {
  const { receipts, hide, bodies, clock } = await received('a', 'b');
  await hide(receipts[0]!, 100);
  await hide(receipts[1]!, 0);
  expect(await bodies('jobs')).toEqual(['b']);
  await clock.step(99_999);
  expect(await bodies('jobs')).toEqual(['b']);
  await clock.step(1);
  expect(await bodies('jobs')).toEqual(['a']);
});

ruleTest(
  'queues',
  'visibility-changed',
  async () => {
    const { receipts, hide, bodies } = await received('a');
    const waiting = bodies('jobs', { WaitTimeSeconds: 20 });
    await Promise.resolve();
    await hide(receipts[0]!, 0);
    expect(await waiting).toEqual(['a']);
  },
  'and wakes who waits',
);

ruleTest('queues', 'visibility-not-in-flight', async () => {
  const { receipts, hide, remove, clock } = await received('a', 'b');
  await clock.step(30_000);
  expect(codeOf(await hide(receipts[0]!, 10))).toBe('MessageNotInflight');
  await remove(receipts[1]!);
  expect(codeOf(await hide(receipts[1]!, 10))).toBe('InvalidParameterValue');
});

ruleTest('queues', 'visibility-total', async () => {
  const { receipts, hide, clock } = await received('a');
  expect((await hide(receipts[0]!, 43_200)).status).toBe(200);
  expect(codeOf(await hide(receipts[0]!, 43_201))).toBe('InvalidParameterValue');
  await clock.step(10_000);
  expect((await hide(receipts[0]!, 43_190)).status).toBe(200);
  const over = await hide(receipts[0]!, 43_191);
  expect(over.body.message).toContain('beyond the limit [43200 seconds]');
});

ruleTest('queues', 'visibility-batch', async () => {
  const { receipts, call, QueueUrl, bodies } = await received('a', 'b');
  const Entries = receipts.map((ReceiptHandle, n) => ({
    Id: `n${n}`,
    ReceiptHandle,
    VisibilityTimeout: n === 0 ? 0 : 43_201,
  }));
  const { body } = await call('ChangeMessageVisibilityBatch', { QueueUrl, Entries });
  expect(body).toMatchObject({
    Successful: [{ Id: 'n0' }],
    Failed: [{ Id: 'n1', Code: 'InvalidParameterValue' }],
  });
  expect(await bodies('jobs')).toEqual(['a']);
});
