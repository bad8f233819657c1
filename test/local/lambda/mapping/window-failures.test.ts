import { expect } from 'vitest';
import type { InvokeResult } from '#local/contracts';
import { ruleTest } from '#test/local/rules/rule-test';
import { mappingBench, settle, START_MS, THROTTLED, THROWN } from './mapping-bench.ts';
import type { BenchOptions, Call } from './mapping-bench.ts';

const TO_EDGE_MS = 60_000 - (START_MS % 60_000);
const stateOf = ({ payload }: Call) => (JSON.parse(payload) as { state: { seen?: string } }).state;
const isFinal = ({ payload }: Call) => payload.includes('"isFinalInvokeForWindow":true');
const answerOf = (seen: string, ...failed: string[]): InvokeResult => ({
  kind: 'ok',
  payload: JSON.stringify({
    state: { seen },
    batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })),
  }),
});
const gather = (call: Call) => answerOf((stateOf(call).seen ?? '') + call.texts.join(''));

function open(properties: object, answer: BenchOptions['answer'], deps: BenchOptions['deps'] = {}) {
  const bench = mappingBench({
    properties: { TumblingWindowInSeconds: 60, ...properties },
    deps,
    ...(answer === undefined ? {} : { answer }),
  });
  const story = () =>
    bench.calls.map(
      (call) => `${stateOf(call).seen ?? ''}+${call.texts.join('')}${isFinal(call) ? '!' : ''}`,
    );
  return { ...bench, story };
}

ruleTest('mapping', 'window-needs-state', async () => {
  const { mapping, log, clock, story } = open({ MaximumRetryAttempts: 1 }, (call, index) =>
    index < 2 ? { kind: 'ok', payload: '{"batchItemFailures":[]}' } : gather(call),
  );
  log.write('s0', 'a');
  mapping.start();
  await clock.advance(1000);
  log.write('s0', 'b');
  await settle();
  expect(story()).toEqual(['+a', '+a', '+b']);
});

ruleTest('mapping', 'window-retries', async () => {
  const { mapping, log, clock, story, events } = open(
    { MaximumRetryAttempts: 1, BatchSize: 1 },
    (call) => (call.texts.includes('b') ? THROWN : gather(call)),
  );
  log.write('s0', 'a', 'b', 'c');
  mapping.start();
  await clock.advance(TO_EDGE_MS);
  expect(story()).toEqual(['+a', 'a+b', 'a+b', 'a+c', 'ac+!']);
  expect(events.filter(({ kind }) => kind === 'gave-up')).toHaveLength(1);
});

ruleTest('mapping', 'window-final-retried', async () => {
  let failures = 0;
  const { mapping, log, clock, story } = open({ MaximumRetryAttempts: 0 }, (call) =>
    isFinal(call) && failures++ < 3
      ? [THROWN, THROTTLED, answerOf('x', '5')][failures - 1]!
      : gather(call),
  );
  log.write('s0', 'a');
  mapping.start();
  await clock.advance(TO_EDGE_MS);
  log.write('s0', 'b');
  await clock.advance(30_000);
  expect(story()).toEqual(['+a', 'a+!', 'a+!', 'a+!', 'a+!', '+b']);
});

ruleTest('mapping', 'window-report', async () => {
  const { mapping, log, clock, story } = open({}, (call, index) =>
    index === 0 ? answerOf('a', call.sequenceNumbers[1]!) : gather(call),
  );
  log.write('s0', 'a', 'b', 'c');
  mapping.start();
  await clock.advance(1000);
  expect(story()).toEqual(['+abc', 'a+bc']);
});

ruleTest('mapping', 'window-bisect', async () => {
  const { mapping, log, clock, story } = open({ BisectBatchOnFunctionError: true }, (call, index) =>
    index === 0 ? THROWN : gather(call),
  );
  log.write('s0', 'a', 'b', 'c', 'd');
  mapping.start();
  await clock.advance(TO_EDGE_MS);
  expect(story()).toEqual(['+abcd', '+ab', 'ab+cd', 'abcd+!']);
});

ruleTest('mapping', 'window-again', async () => {
  let left = 1;
  const { mapping, log, clock, story } = open({}, gather, {
    faults: { onBatch: () => (left-- > 0 ? 'again' : undefined) },
  });
  log.write('s0', 'a');
  mapping.start();
  await clock.advance(TO_EDGE_MS);
  expect(story()).toEqual(['+a', '+a', 'a+!']);
});
