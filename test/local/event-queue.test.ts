import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { CloudEvent } from '#local/cloud-event';
import type { InvokeResult } from '#local/contracts';
import { openBuckets } from '#local/emulators/objects/object-store';
import { createEventQueue } from '#local/event-queue';
import { handClock } from '#test/local/hand-clock';

const FAILED: InvokeResult = {
  kind: 'error',
  errorType: 'TypeError',
  payload: '{"errorType":"TypeError"}',
};

function open({ tempo = false, result = FAILED }: { tempo?: boolean; result?: InvokeResult } = {}) {
  const clock = handClock(Date.parse('2026-07-06T05:04:03Z'));
  const objects = openBuckets(new DatabaseSync(':memory:'), { clock, etagOf: () => '"e"' });
  objects.createBucket('box');
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
    tempo,
    onEvent: (event) => void seen.push(event),
    measure: () => undefined,
  });
  return { clock, objects, queue, seen, invokedAtMs };
}

test('a function that says nothing has the retries of Lambda', async () => {
  const { clock, queue, invokedAtMs } = open();
  void queue.accept('fn', '{}');
  await clock.advance(3_600_000);
  expect(invokedAtMs).toEqual([0, 60_000, 180_000]);
});

test('a function’s own rules are its alone', async () => {
  const { clock, queue, invokedAtMs } = open();
  queue.configure({ functionName: 'fn', retryAttemptsMax: 1 });
  void queue.accept('fn', '{}');
  await clock.advance(3_600_000);
  expect(invokedAtMs).toEqual([0, 60_000]);
  void queue.accept('other', '{}');
  await clock.advance(3_600_000);
  expect(invokedAtMs).toHaveLength(5);
});

test('a throttled event is given up at its age', async () => {
  const { clock, queue, seen } = open({ result: { kind: 'throttled' } });
  queue.configure({ functionName: 'fn', eventAgeMaxSec: 60 });
  void queue.accept('fn', '{}');
  await clock.advance(59_000);
  expect(seen).toEqual([
    {
      kind: 'event-given-up',
      functionName: 'fn',
      condition: 'EventAgeExceeded',
      attempts: 6,
    },
  ]);
});

test('with tempo a retry comes in moments', async () => {
  const { clock, queue, invokedAtMs } = open({ tempo: true });
  void queue.accept('fn', '{}');
  await clock.advance(1_000);
  expect(invokedAtMs).toEqual([0, 200, 600]);
});

test('what is given up is written where AWS would write it', async () => {
  const { clock, queue, objects } = open();
  queue.configure({ functionName: 'fn', retryAttemptsMax: 0, failureBucket: 'box' });
  void queue.accept('fn', '{"n":1}');
  await clock.advance(1);
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

test('a bucket that is not there is told, and costs nothing else', async () => {
  const { clock, queue, seen } = open();
  queue.configure({ functionName: 'fn', retryAttemptsMax: 0, failureBucket: 'crate' });
  void queue.accept('fn', '{}');
  await clock.advance(1);
  expect(seen.map(({ kind }) => kind)).toEqual(['event-given-up', 'defect']);
});
