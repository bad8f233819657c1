import { expect } from 'vitest';
import { ruleTest } from '#test/local/rules/rule-test';
import { mappingBench, settle, START_MS, STREAM_ARN, THROWN } from './mapping-bench.ts';
import type { BenchOptions, Call } from './mapping-bench.ts';

interface WindowEvent {
  readonly window: { readonly start: string; readonly end: string };
  readonly state: { readonly seen?: string };
  readonly isFinalInvokeForWindow: boolean;
  readonly isWindowTerminatedEarly: boolean;
}

const eventOf = ({ payload }: Call) => JSON.parse(payload) as WindowEvent;
/** From the test's beginning, at 12:34:56.789, to the end of its minute. */
const TO_EDGE_MS = 60_000 - (START_MS % 60_000);

/** The function gathers all texts of a window in its state. */
const gathered = (call: Call): string => (eventOf(call).state.seen ?? '') + call.texts.join('');
const gather = (call: Call) =>
  ({ kind: 'ok', payload: JSON.stringify({ state: { seen: gathered(call) } }) }) as const;

function windowBench({ properties, answer = gather, ...options }: BenchOptions = {}) {
  const bench = mappingBench({
    ...options,
    properties: { TumblingWindowInSeconds: 60, ...properties },
    answer,
  });
  /** Each call: `a+bc` had state a and records bc; a final one ends in `!`, an early one in `!!`. */
  const story = () =>
    bench.calls.map((call) => {
      const { state, isFinalInvokeForWindow, isWindowTerminatedEarly } = eventOf(call);
      const end = isFinalInvokeForWindow ? (isWindowTerminatedEarly ? '!!' : '!') : '';
      return `${state.seen ?? ''}+${call.texts.join('')}${end}`;
    });
  return { ...bench, story };
}

ruleTest('mapping', 'window-event', async () => {
  const { mapping, log, calls } = windowBench();
  log.write('s0', 'a');
  mapping.start();
  await settle();
  const { Records, ...members } = JSON.parse(calls[0]!.payload);
  expect(Records).toHaveLength(1);
  expect(members).toEqual({
    window: { start: '2026-11-29T12:34:00Z', end: '2026-11-29T12:35:00Z' },
    state: {},
    shardId: 's0',
    eventSourceARN: STREAM_ARN,
    isFinalInvokeForWindow: false,
    isWindowTerminatedEarly: false,
  });
});

ruleTest('mapping', 'window-epoch', async () => {
  const { mapping, log, calls } = windowBench({ properties: { TumblingWindowInSeconds: 120 } });
  log.write('s0', 'a');
  mapping.start();
  await settle();
  expect(eventOf(calls[0]!).window).toEqual({
    start: '2026-11-29T12:34:00Z',
    end: '2026-11-29T12:36:00Z',
  });
});

ruleTest('mapping', 'window-state', async () => {
  const { mapping, log, clock, story } = windowBench({ shards: ['s0', 's1'] });
  mapping.start();
  log.write('s0', 'a');
  await settle();
  log.write('s1', 'x');
  log.write('s0', 'b', 'c');
  await settle();
  await clock.advance(TO_EDGE_MS);
  log.write('s0', 'd');
  await settle();
  expect(story().filter((one) => !one.includes('x'))).toEqual(['+a', 'a+bc', 'abc+!', '+d']);
  expect(story().filter((one) => one.includes('x'))).toEqual(['+x', 'x+!']);
});

ruleTest('mapping', 'window-edge', async () => {
  const { mapping, log, clock, story } = windowBench();
  log.write('s0', 'a');
  await clock.advance(TO_EDGE_MS - 1);
  log.write('s0', 'b');
  await clock.advance(1);
  log.write('s0', 'c', 'd');
  mapping.start();
  await settle();
  expect(story()).toEqual(['+ab', 'ab+!', '+cd']);
});

ruleTest('mapping', 'window-final', async () => {
  const { mapping, log, clock, calls, story, events } = windowBench();
  log.write('s0', 'a');
  await clock.advance(TO_EDGE_MS);
  log.write('s0', 'b');
  mapping.start();
  await settle();
  expect(story().slice(0, 2)).toEqual(['+a', 'a+!']);
  expect(JSON.parse(calls[1]!.payload)).toMatchObject({
    Records: [],
    window: { start: '2026-11-29T12:34:00Z', end: '2026-11-29T12:35:00Z' },
    isFinalInvokeForWindow: true,
    isWindowTerminatedEarly: false,
  });
  expect(events.find(({ kind }) => kind === 'window-closed')).toMatchObject({ isEarly: false });
});

ruleTest('mapping', 'window-final-idle', async () => {
  const { mapping, log, clock, calls, story } = windowBench();
  log.write('s0', 'a');
  mapping.start();
  await clock.advance(TO_EDGE_MS - 1);
  expect(story()).toEqual(['+a']);
  expect(mapping.isIdle()).toBe(true);
  await clock.advance(1);
  expect(story()).toEqual(['+a', 'a+!']);
  expect(calls[1]!.atMs).toBe(START_MS + TO_EDGE_MS);
});

ruleTest('mapping', 'window-final-faithful', async () => {
  const { mapping, log, clock, story } = windowBench({ deps: { isFaithful: true } });
  log.write('s0', 'a');
  mapping.start();
  await clock.advance(TO_EDGE_MS + 119_000);
  expect(story()).toEqual(['+a']);
  await clock.advance(2000);
  expect(story()).toEqual(['+a', 'a+!']);
});

ruleTest('mapping', 'window-batching', async () => {
  const { mapping, log, clock, calls, story } = windowBench({
    properties: { MaximumBatchingWindowInSeconds: 300 },
  });
  log.write('s0', 'a');
  mapping.start();
  await clock.advance(TO_EDGE_MS);
  expect(story()).toEqual(['+a', 'a+!']);
  expect(calls[0]!.atMs).toBe(START_MS + TO_EDGE_MS);
});

ruleTest(
  'mapping',
  'payload-bytes',
  async () => {
    const payloadBytesMax = 1024 * 1024 + 6000;
    const large = 'y'.repeat(1024 * 1024 - 20);
    const { mapping, log, calls } = windowBench({
      deps: { payloadBytesMax },
      answer: () => ({ kind: 'ok', payload: JSON.stringify({ state: { seen: large } }) }),
    });
    log.write('s0', ...Array.from({ length: 40 }, (_, i) => String(i)));
    mapping.start();
    await settle();
    expect(calls.flatMap(({ texts }) => texts)).toHaveLength(40);
    const sizes = calls.map(({ payload }) => Buffer.byteLength(payload));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(payloadBytesMax);
    expect(Math.max(...sizes)).toBeGreaterThan(payloadBytesMax - 2000);
  },
  'with the state of a window',
);

ruleTest('mapping', 'window-empty', async () => {
  const { mapping, log, clock, story } = windowBench();
  mapping.start();
  log.write('s0', 'a');
  await clock.advance(600_000);
  expect(story()).toEqual(['+a', 'a+!']);
});

ruleTest('mapping', 'window-shard-end', async () => {
  const { mapping, log, story } = windowBench();
  log.write('s0', 'a');
  log.reshard(['s0'], ['s1']);
  log.write('s1', 'b');
  mapping.start();
  await settle();
  expect(story()).toEqual(['+a', 'a+!', '+b']);
});

ruleTest('mapping', 'window-early', async () => {
  const large = 'x'.repeat(1024 * 1024);
  const { mapping, log, story, events } = windowBench({
    answer: (call) => ({
      kind: 'ok',
      payload: JSON.stringify({ state: { seen: gathered(call) } }),
    }),
    properties: { BatchSize: 1 },
  });
  log.write('s0', 'a', large);
  mapping.start();
  await settle();
  expect(story().map((one) => one.replace(large, 'LARGE'))).toEqual(['+a', 'a+LARGE', 'aLARGE+!!']);
  expect(events.find(({ kind }) => kind === 'window-closed')).toMatchObject({ isEarly: true });
});

ruleTest('mapping', 'window-after-early', async () => {
  const { mapping, log, clock, story } = windowBench({
    answer: (call) => {
      const seen = call.texts.includes('big') ? 'y'.repeat(1024 * 1024) : gathered(call);
      return { kind: 'ok', payload: JSON.stringify({ state: { seen } }) };
    },
    properties: { BatchSize: 1 },
  });
  log.write('s0', 'big', 'c', 'd');
  mapping.start();
  await clock.advance(TO_EDGE_MS);
  expect(story().map((one) => one.replace(/y+/, 'Y'))).toEqual([
    '+big',
    'Y+!!',
    '+c',
    'c+d',
    'cd+!',
  ]);
});

ruleTest('mapping', 'window-removed', async () => {
  const first = windowBench();
  first.log.write('s0', 'a');
  first.mapping.start();
  await settle();
  await first.mapping.stop();
  first.log.write('s0', 'b');
  const { log, storage } = first;
  const second = windowBench({ log, storage, properties: { TumblingWindowInSeconds: 0 } });
  second.mapping.start();
  await settle();
  const [last, next] = second.calls;
  expect(eventOf(last!)).toMatchObject({ state: { seen: 'a' }, isFinalInvokeForWindow: true });
  expect(Object.keys(JSON.parse(next!.payload))).toEqual(['Records']);
});

ruleTest('mapping', 'window-restart', async () => {
  const first = windowBench({
    properties: { BatchSize: 1, MaximumRetryAttempts: 5 },
    answer: (call) => (call.texts.includes('c') ? THROWN : gather(call)),
  });
  first.log.write('s0', 'a', 'b', 'c');
  first.mapping.start();
  await settle();
  await first.mapping.stop();
  const second = windowBench({ log: first.log, storage: first.storage });
  second.mapping.start();
  await settle();
  expect(second.story()).toEqual(['ab+c']);
});
