import { expect } from 'vitest';
import { ruleTest } from '#test/local/rules/rule-test';
import { DONE, failing, mappingBench, settle, THROTTLED, THROWN } from './mapping-bench.ts';

const toBucket = { DestinationConfig: { OnFailure: { Destination: 'arn:aws:s3:::quarantine' } } };

ruleTest('mapping', 'report-lowest', async () => {
  const { mapping, log, calls, clock } = mappingBench({
    answer: ({ sequenceNumbers }) => (sequenceNumbers.includes('10') ? failing('13', '11') : DONE),
  });
  log.write('s0', 'a', 'b', 'c', 'd');
  mapping.start();
  await clock.advance(1000);
  expect(calls.map(({ sequenceNumbers }) => sequenceNumbers)).toEqual([
    ['10', '11', '12', '13'],
    ['11', '12', '13'],
  ]);
});

ruleTest('mapping', 'retry-attempts', async () => {
  const { mapping, log, calls, clock, batches } = mappingBench({
    properties: { MaximumRetryAttempts: 3, ...toBucket },
    answer: ({ texts }) => (texts.includes('a') ? THROWN : DONE),
  });
  log.write('s0', 'a', 'b');
  mapping.start();
  await clock.advance(60_000);
  log.write('s0', 'c');
  await settle();
  expect(batches()).toEqual(['ab', 'ab', 'ab', 'ab', 'c']);
  const pauses = calls.slice(1, 4).map(({ atMs }, i) => atMs - calls[i]!.atMs);
  expect(pauses).toEqual([150, 300, 600]);
});

ruleTest('mapping', 'retry-for-ever', async () => {
  const { mapping, log, clock, batches } = mappingBench({
    shards: ['s0', 's1'],
    answer: ({ texts }) => (texts.includes('a') ? THROWN : DONE),
  });
  log.write('s0', 'a');
  mapping.start();
  log.write('s1', 'b');
  await clock.advance(3_600_000);
  log.write('s0', 'c');
  await clock.advance(60_000);
  expect(new Set(batches())).toEqual(new Set(['a', 'b']));
  expect(batches().length).toBeGreaterThan(100);
  expect(mapping.isIdle()).toBe(false);
});

ruleTest('mapping', 'throttle-reserved', async () => {
  let running = 0;
  const finish: (() => void)[] = [];
  const { mapping, log, clock, calls, events } = mappingBench({
    shards: ['s0', 's1', 's2'],
    properties: { MaximumRetryAttempts: 0 },
    answer: async () => {
      if (running === 1) return THROTTLED;
      running++;
      await new Promise<void>((resolve) => finish.push(resolve));
      running--;
      return DONE;
    },
  });
  for (const shard of ['s0', 's1', 's2']) log.write(shard, shard);
  mapping.start();
  for (let turn = 0; turn < 3; turn++) {
    await clock.advance(60_000);
    expect(running).toBe(1);
    finish.shift()?.();
  }
  await clock.advance(60_000);
  expect(calls.length).toBeGreaterThan(3);
  expect(events.filter(({ kind }) => kind === 'finished')).toHaveLength(3);
  expect(events.filter(({ kind }) => kind === 'gave-up')).toEqual([]);
});

ruleTest(
  'mapping',
  'throttle-free',
  async () => {
    const { mapping, log, clock, batches, events } = mappingBench({
      properties: { MaximumRetryAttempts: 1 },
      answer: (_, index) => (index < 9 ? THROTTLED : index === 9 ? THROWN : DONE),
    });
    log.write('s0', 'a');
    mapping.start();
    await clock.advance(600_000);
    expect(batches()).toHaveLength(11);
    expect(events.some(({ kind }) => kind === 'gave-up')).toBe(false);
  },
  'throttled',
);

ruleTest(
  'mapping',
  'throttle-free',
  async () => {
    let tries = 0;
    const { mapping, log, clock, events } = mappingBench({
      properties: { MaximumRetryAttempts: 0 },
      answer: () => (++tries === 1 ? Promise.reject(new Error('no such function')) : DONE),
    });
    log.write('s0', 'a');
    mapping.start();
    await clock.advance(1000);
    expect(tries).toBe(2);
    expect(events.find(({ kind }) => kind === 'retry')).toMatchObject({ reason: 'throttled' });
  },
  'cannot be run',
);

ruleTest('mapping', 'bisect', async () => {
  const { mapping, log, clock, batches, objects } = mappingBench({
    properties: { BisectBatchOnFunctionError: true, MaximumRetryAttempts: 1, ...toBucket },
    answer: ({ texts }) => (texts.includes('d') ? THROWN : DONE),
  });
  log.write('s0', 'a', 'b', 'c', 'd', 'e', 'f');
  mapping.start();
  await clock.advance(10_000);
  expect(batches()).toEqual(['abcdef', 'abc', 'def', 'de', 'd', 'd', 'e', 'f']);
  expect([...objects.values()].map((text) => JSON.parse(text).KinesisBatchInfo.batchSize)).toEqual([
    1,
  ]);
});

ruleTest('mapping', 'bisect-report', async () => {
  const { mapping, log, clock, calls, batches } = mappingBench({
    properties: { BisectBatchOnFunctionError: true, MaximumRetryAttempts: 0 },
    answer: ({ texts, sequenceNumbers }) => (texts.length > 1 ? failing(sequenceNumbers[1]) : DONE),
  });
  log.write('s0', 'a', 'b', 'c', 'd');
  mapping.start();
  await clock.advance(10_000);
  expect(batches()).toEqual(['abcd', 'bcd', 'cd', 'd']);
  expect(calls.every(({ atMs }) => atMs === calls[0]!.atMs)).toBe(true);
});

ruleTest('mapping', 'report-spends', async () => {
  const { mapping, log, clock, batches, objects } = mappingBench({
    properties: { MaximumRetryAttempts: 1, ...toBucket },
    answer: ({ texts, sequenceNumbers }) => (texts.length > 1 ? failing(sequenceNumbers[1]) : DONE),
  });
  log.write('s0', 'a', 'b', 'c', 'd');
  mapping.start();
  await clock.advance(10_000);
  expect(batches()).toEqual(['abcd', 'bcd']);
  const [document] = [...objects.values()].map((text) => JSON.parse(text));
  expect(document.KinesisBatchInfo).toMatchObject({ batchSize: 2, startSequenceNumber: '12' });
});

ruleTest('mapping', 'record-age', async () => {
  let isOut = true;
  const { mapping, log, clock, batches, objects } = mappingBench({
    properties: { MaximumRecordAgeInSeconds: 60, ...toBucket },
    answer: () => (isOut ? THROTTLED : DONE),
  });
  log.write('s0', 'a');
  await clock.advance(40_000);
  log.write('s0', 'b');
  mapping.start();
  await clock.advance(30_000);
  isOut = false;
  await clock.advance(30_000);
  expect(batches().at(0)).toBe('ab');
  expect(batches().at(-1)).toBe('b');
  const [document] = [...objects.values()].map((text) => JSON.parse(text));
  expect(document).toMatchObject({
    requestContext: { condition: 'RecordAgeExceeded', approximateInvokeCount: 0 },
    KinesisBatchInfo: { batchSize: 1, startSequenceNumber: '10' },
  });
});

ruleTest('mapping', 'record-age-exact', async () => {
  const { mapping, log, clock, batches } = mappingBench({
    properties: { MaximumRecordAgeInSeconds: 60 },
  });
  log.write('s0', 'a');
  await clock.advance(60_000);
  mapping.start();
  await settle();
  expect(batches()).toEqual(['a']);
});

ruleTest('mapping', 'stop-spends-none', async () => {
  const { mapping, log, batches, events } = mappingBench({
    properties: { MaximumRetryAttempts: 0, ...toBucket },
    answer: () => {
      stopping = mapping.stop();
      return THROWN;
    },
  });
  let stopping: Promise<void> | undefined;
  log.write('s0', 'a');
  mapping.start();
  await settle();
  await stopping;
  expect(batches()).toEqual(['a']);
  expect(events.map(({ kind }) => kind)).not.toContain('gave-up');
});
