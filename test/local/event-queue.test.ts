import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { CloudEvent } from '#local/cloud-event';
import type { InvokeResult, QueueStore } from '#local/contracts';
import { openBuckets } from '#local/emulators/objects/object-store';
import { createEventQueue } from '#local/event-queue';
import { ruleTest } from '#test/local/rules/rule-test';
import { steppedClock } from '#local/kit/stepped-clock';

const FAILED: InvokeResult = {
  kind: 'error',
  errorType: 'TypeError',
  payload: '{"errorType":"TypeError"}',
};

function open({ tempo = false, result = FAILED }: { tempo?: boolean; result?: InvokeResult } = {}) {
  const clock = steppedClock(Date.parse('2026-07-06T05:04:03Z'));
  const objects = openBuckets(new DatabaseSync(':memory:'), { clock, etagOf: () => '"e"' });
  objects.createBucket('box');
  const sent: unknown[][] = [];
  const queues: QueueStore = {
    send(queue, ...message) {
      if (queue.endsWith(':none')) throw new Error('no such queue');
      sent.push([queue, ...message]);
    },
  };
  const seen: CloudEvent[] = [];
  const invokedAtMs: number[] = [];
  const startMs = clock.nowMs();
  const queue = createEventQueue({
    invoker: {
      async invoke() {
        invokedAtMs.push(clock.nowMs() - startMs);
        return result;
      },
    },
    clock,
    objectsAs: () => objects,
    queuesAs: () => queues,
    tempo,
    onEvent: (event) => void seen.push(event),
    measure: () => undefined,
  });
  return { clock, objects, sent, queue, seen, invokedAtMs };
}

test('a function that says nothing has the retries of Lambda', async () => {
  const { clock, queue, invokedAtMs } = open();
  void queue.accept('fn', '{}');
  await clock.step(3_600_000);
  expect(invokedAtMs).toEqual([0, 60_000, 180_000]);
});

ruleTest('lambda', 'async-own-rules', async () => {
  const { clock, queue, invokedAtMs } = open();
  queue.configure({ functionName: 'fn', retryAttemptsMax: 1 });
  void queue.accept('fn', '{}');
  await clock.step(3_600_000);
  expect(invokedAtMs).toEqual([0, 60_000]);
  void queue.accept('other', '{}');
  await clock.step(3_600_000);
  expect(invokedAtMs).toHaveLength(5);
});

test('a throttled event is given up at its age', async () => {
  const { clock, queue, seen } = open({ result: { kind: 'throttled' } });
  queue.configure({ functionName: 'fn', eventAgeMaxSec: 60 });
  void queue.accept('fn', '{}');
  await clock.step(59_000);
  expect(seen).toEqual([
    {
      kind: 'event-given-up',
      functionName: 'fn',
      condition: 'EventAgeExceeded',
      attempts: 6,
    },
  ]);
});

ruleTest('lambda', 'async-tempo', async () => {
  const { clock, queue, invokedAtMs } = open({ tempo: true });
  void queue.accept('fn', '{}');
  await clock.step(1_000);
  expect(invokedAtMs).toEqual([0, 200, 600]);
});

ruleTest('lambda', 'async-to-bucket', async () => {
  const { clock, queue, objects } = open();
  queue.configure({ functionName: 'fn', retryAttemptsMax: 0, failureBucket: 'box' });
  void queue.accept('fn', '{"n":1}');
  await clock.step(1);
  const [key = ''] = objects.list('box', '');
  expect(key).toMatch(
    /^aws\/lambda\/async\/fn\/2026\/07\/06\/2026-07-06T05\.04\.03-[0-9a-f-]{36}$/,
  );
  expect(JSON.parse(Buffer.from(objects.get('box', key)!).toString())).toEqual({
    version: '1.0',
    timestamp: '2026-07-06T05:04:03.000Z',
    requestContext: {
      requestId: key.slice(-36),
      functionArn: 'arn:aws:lambda:us-east-1:000000000000:function:fn:$LATEST',
      condition: 'RetriesExhausted',
      approximateInvokeCount: 1,
    },
    requestPayload: { n: 1 },
    responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
    responsePayload: { errorType: 'TypeError' },
  });
});

ruleTest('lambda', 'async-undelivered', async () => {
  const { clock, queue, seen } = open();
  queue.configure({ functionName: 'fn', retryAttemptsMax: 0, failureBucket: 'crate' });
  void queue.accept('fn', '{}');
  await clock.step(1);
  expect(seen.map(({ kind }) => kind)).toEqual(['event-given-up', 'defect']);
});

const QUEUE = 'arn:aws:sqs:us-east-1:000000000000:failed';

ruleTest('lambda', 'async-to-queue', async () => {
  const { clock, queue, sent } = open({ result: { kind: 'throttled' } });
  queue.configure({ functionName: 'fn', eventAgeMaxSec: 60, failureQueueArn: QUEUE });
  void queue.accept('fn', '{"n":1}');
  await clock.step(60_000);
  const [[target, body] = []] = sent;
  expect([target, sent.length]).toEqual([QUEUE, 1]);
  expect(JSON.parse(String(body))).toMatchObject({
    version: '1.0',
    requestContext: { condition: 'EventAgeExceeded', approximateInvokeCount: 6 },
    requestPayload: { n: 1 },
    responseContext: { statusCode: 429, executedVersion: '$LATEST' },
    responsePayload: null,
  });
});

ruleTest('lambda', 'async-dead-letters', async () => {
  const payload = '{"errorType":"TypeError","errorMessage":"no such member"}';
  const { clock, queue, sent } = open({ result: { ...FAILED, payload } as InvokeResult });
  queue.configure({ functionName: 'fn', retryAttemptsMax: 0 });
  queue.keepDeadLetters('fn', QUEUE);
  void queue.accept('fn', '{"n":1}');
  await clock.step(1);
  expect(sent).toEqual([
    [
      QUEUE,
      '{"n":1}',
      {
        RequestID: { DataType: 'String', StringValue: expect.stringMatching(/^[0-9a-f-]{36}$/) },
        ErrorCode: { DataType: 'Number', StringValue: '200' },
        ErrorMessage: { DataType: 'String', StringValue: 'no such member' },
      },
    ],
  ]);
});

ruleTest(
  'lambda',
  'async-undelivered',
  async () => {
    const { clock, queue, seen, sent } = open();
    queue.configure({ functionName: 'fn', retryAttemptsMax: 0, failureQueueArn: `${QUEUE}:none` });
    queue.keepDeadLetters('fn', QUEUE);
    void queue.accept('fn', '{}');
    await clock.step(1);
    expect(seen.map(({ kind }) => kind)).toEqual(['event-given-up', 'defect']);
    expect(sent).toHaveLength(1);
  },
  'a queue',
);
