import { expect, test } from 'vitest';
import type { InvokeResult } from '#local/contracts';
import type { FailedEvent } from '#local/emulators/scheduler/async-invoke';
import { ASYNC_INVOKE_DEFAULTS, createAsyncInvoker } from '#local/emulators/scheduler/async-invoke';
import { ruleTest } from '#test/local/rules/rule-test';
import { steppedClock } from '#local/kit/stepped-clock';

const ok: InvokeResult = { kind: 'ok', payload: 'null' };
const failed: InvokeResult = { kind: 'error', errorType: 'Error', payload: '{}' };
const throttled: InvokeResult = { kind: 'throttled' };

/** Answers in the order given, then with the last for ever. */
function open(...answers: (InvokeResult | Error)[]) {
  const clock = steppedClock(1_000);
  const attemptsAtMs: number[] = [];
  const given: FailedEvent[] = [];
  const invoker = createAsyncInvoker({
    clock,
    invoker: {
      async invoke() {
        attemptsAtMs.push(clock.nowMs() - 1_000);
        const answer = answers.length > 1 ? answers.shift()! : answers[0]!;
        if (answer instanceof Error) throw answer;
        return answer;
      },
    },
  });
  const send = (config: object = {}) =>
    invoker.invoke('fn', '{"n":1}', {
      ...ASYNC_INVOKE_DEFAULTS,
      onFailure: (event) => void given.push(event),
      ...config,
    });
  return { clock, attemptsAtMs, given, send, invoker };
}

ruleTest('lambda', 'async-success', async () => {
  const { clock, attemptsAtMs, send } = open(ok);
  const event = send();
  await clock.step(3_600_000);
  await event;
  expect(attemptsAtMs).toEqual([0]);
});

ruleTest('lambda', 'async-retries', async () => {
  const { clock, attemptsAtMs, given, send } = open(failed);
  const event = send();
  await clock.step(3_600_000);
  await event;
  expect(attemptsAtMs).toEqual([0, 60_000, 180_000]);
  expect(given).toMatchObject([{ condition: 'RetriesExhausted', attempts: 3, payload: '{"n":1}' }]);
});

test('MaximumRetryAttempts 0 leaves one attempt', async () => {
  const { clock, attemptsAtMs, given, send } = open(failed);
  void send({ retryAttemptsMax: 0 });
  await clock.step(3_600_000);
  expect(attemptsAtMs).toEqual([0]);
  expect(given).toHaveLength(1);
});

ruleTest('lambda', 'async-throttled', async () => {
  const { clock, attemptsAtMs, given, send } = open(throttled, throttled, throttled, failed, ok);
  void send();
  await clock.step(3_600_000);
  expect(attemptsAtMs).toEqual([0, 1_000, 3_000, 7_000, 67_000]);
  expect(given).toEqual([]);
});

ruleTest('lambda', 'async-age', async () => {
  const { clock, attemptsAtMs, given, send } = open(throttled);
  void send({ eventAgeMaxMs: 5_000 });
  await clock.step(3_600_000);
  expect(attemptsAtMs).toEqual([0, 1_000, 3_000]);
  expect(given).toMatchObject([{ condition: 'EventAgeExceeded', attempts: 3 }]);
});

test('a runtime that cannot be reached counts as a failure', async () => {
  const { clock, attemptsAtMs, send } = open(new Error('no runtime'), ok);
  void send();
  await clock.step(3_600_000);
  expect(attemptsAtMs).toEqual([0, 60_000]);
});

test('stop ends the waiting and begins no attempt', async () => {
  const { clock, attemptsAtMs, send, invoker } = open(failed);
  const event = send();
  await clock.step(1);
  await invoker.stop();
  await event;
  await clock.step(3_600_000);
  expect(attemptsAtMs).toEqual([0]);
});
