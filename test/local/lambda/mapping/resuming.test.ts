import { expect, test } from 'vitest';
import { ruleTest } from '#test/local/rules/rule-test';
import { failing, DONE, mappingBench, settle, START_MS, THROWN } from './mapping-bench.ts';

ruleTest(
  'mapping',
  'parents-first',
  async () => {
    const { mapping, log, events, batches } = mappingBench();
    log.reshard(['s0'], ['s1', 's2']);
    log.write('s1', 'x');
    mapping.start();
    await settle();
    expect(batches()).toEqual(['x']);
    const starts = events.filter(({ kind }) => kind.startsWith('shard-'));
    expect(starts.map(({ kind, shardId }) => `${kind} ${shardId}`)).toEqual([
      'shard-started s0',
      'shard-ended s0',
      'shard-started s1',
      'shard-started s2',
    ]);
  },
  'an empty parent',
);

ruleTest(
  'mapping',
  'parents-first',
  async () => {
    const { mapping, log, clock, batches } = mappingBench({
      properties: { BatchSize: 1 },
      answer: ({ texts }, index) => (texts.includes('b') && index < 4 ? THROWN : DONE),
    });
    log.write('s0', 'a', 'b');
    log.reshard(['s0'], ['s1', 's2']);
    log.write('s1', 'x');
    mapping.start();
    await clock.advance(60_000);
    expect(batches()).toEqual(['a', 'b', 'b', 'b', 'b', 'x']);
  },
  'records that fail',
);

ruleTest('mapping', 'merge-waits', async () => {
  const finish: (() => void)[] = [];
  const { mapping, log, batches } = mappingBench({
    shards: ['s0', 's1'],
    answer: () => new Promise((resolve) => finish.push(() => resolve(DONE))),
  });
  log.write('s0', 'a');
  log.write('s1', 'b');
  log.reshard(['s0', 's1'], ['s2']);
  log.write('s2', 'x');
  mapping.start();
  await settle();
  finish[0]!();
  await settle();
  expect(batches()).toEqual(['a', 'b']);
  finish[1]!();
  await settle();
  expect(batches()).toEqual(['a', 'b', 'x']);
});

ruleTest('mapping', 'later-shards', async () => {
  const { mapping, log, batches } = mappingBench();
  mapping.start();
  log.write('s0', 'a');
  await settle();
  log.reshard(['s0'], ['s1', 's2']);
  log.write('s2', 'z');
  log.write('s1', 'y');
  await settle();
  expect(batches()[0]).toBe('a');
  expect(batches().slice(1).toSorted()).toEqual(['y', 'z']);
});

ruleTest(
  'mapping',
  'later-shards',
  async () => {
    const { mapping, log, clock, batches } = mappingBench({ deps: { isFaithful: true } });
    mapping.start();
    await settle();
    log.reshard(['s0'], ['s1']);
    log.write('s1', 'y');
    await clock.advance(3000);
    expect(batches()).toEqual(['y']);
  },
  'by a faithful mapping too',
);

ruleTest('mapping', 'start-latest', async () => {
  const { mapping, log, batches } = mappingBench({ properties: { StartingPosition: 'LATEST' } });
  log.write('s0', 'a');
  mapping.start();
  log.write('s0', 'b');
  await settle();
  log.reshard(['s0'], ['s1']);
  log.write('s1', 'c');
  await settle();
  expect(batches()).toEqual(['b', 'c']);
});

ruleTest('mapping', 'start-at-timestamp', async () => {
  const { mapping, log, clock, batches } = mappingBench({
    properties: {
      StartingPosition: 'AT_TIMESTAMP',
      StartingPositionTimestamp: START_MS / 1000,
    },
  });
  log.write('s0', 'b');
  await clock.advance(10);
  log.write('s0', 'c');
  mapping.start();
  await settle();
  expect(batches()).toEqual(['bc']);
});

ruleTest('mapping', 'checkpoint', async () => {
  const properties = { BatchSize: 2, StartingPosition: 'LATEST' };
  const first = mappingBench({ properties });
  first.mapping.start();
  first.log.write('s0', 'a', 'b', 'c');
  await settle();
  await first.mapping.stop();
  first.log.write('s0', 'd');
  const second = mappingBench({ properties, log: first.log, storage: first.storage });
  second.mapping.start();
  await settle();
  expect(first.batches()).toEqual(['ab', 'c']);
  expect(second.batches()).toEqual(['d']);
});

ruleTest('mapping', 'checkpoint-partial', async () => {
  const first = mappingBench({ answer: ({ sequenceNumbers }) => failing(sequenceNumbers.at(-1)) });
  first.log.write('s0', 'a', 'b', 'c');
  first.mapping.start();
  await settle();
  await first.mapping.stop();
  const second = mappingBench({ log: first.log, storage: first.storage });
  second.mapping.start();
  await settle();
  expect(second.batches()).toEqual(['c']);
});

ruleTest('mapping', 'stop-waits', async () => {
  let finish = () => {};
  const { mapping, log, batches, storage } = mappingBench({
    answer: () => new Promise((resolve) => (finish = () => resolve(DONE))),
    properties: { BatchSize: 1 },
  });
  log.write('s0', 'a', 'b');
  mapping.start();
  await settle();
  let isStopped = false;
  const stopped = mapping.stop().then(() => (isStopped = true));
  await settle();
  expect(isStopped).toBe(false);
  finish();
  await stopped;
  expect(batches()).toEqual(['a']);
  const again = mappingBench({ log, storage });
  again.mapping.start();
  await settle();
  expect(again.batches()).toEqual(['b']);
});

ruleTest('mapping', 'disabled', async () => {
  const { mapping, log, batches } = mappingBench({ properties: { Enabled: false } });
  log.write('s0', 'a');
  mapping.start();
  await settle();
  expect(batches()).toEqual([]);
  await mapping.setEnabled(true);
  await settle();
  await mapping.setEnabled(false);
  log.write('s0', 'b');
  await settle();
  expect(batches()).toEqual(['a']);
  await mapping.setEnabled(true);
  await settle();
  expect(batches()).toEqual(['a', 'b']);
});

test('a mapping is idle only when all that was written is done', async () => {
  const { mapping, log } = mappingBench();
  mapping.start();
  expect(mapping.isIdle()).toBe(true);
  log.write('s0', 'a');
  expect(mapping.isIdle()).toBe(false);
  await settle();
  expect(mapping.isIdle()).toBe(true);
});

test('CONS-19: a shard that cannot be read says so each time, and goes on from its place when it can', async () => {
  const bench = mappingBench();
  const { read } = bench.log;
  bench.mapping.start();
  bench.log.write('s0', 'a');
  await settle();
  bench.log.read = () => {
    throw new Error('no such stream');
  };
  bench.log.write('s0', 'b');
  await settle();
  for (let at = 0; at < 3; at++) await bench.clock.advance(1000);
  expect(bench.batches()).toEqual(['a']);
  const told = bench.events.filter(({ kind }) => kind === 'read-failed');
  expect(told.length).toBeGreaterThanOrEqual(4);
  expect(told[0]).toMatchObject({ shardId: 's0', message: 'no such stream' });
  bench.log.read = read;
  await bench.clock.advance(1000);
  expect(bench.batches()).toEqual(['a', 'b']);
});

test('a child whose parent is no longer of the stream is read', async () => {
  const { mapping, log, batches } = mappingBench({ shards: [] });
  log.addShard('s7', 's3', 's4');
  log.write('s7', 'x');
  mapping.start();
  await settle();
  expect(batches()).toEqual(['x']);
});

test('LATEST does not skip what a new shard already holds when it is found', async () => {
  const { mapping, log, batches } = mappingBench({ properties: { StartingPosition: 'LATEST' } });
  mapping.start();
  log.addShard('s1');
  log.write('s1', 'c');
  await settle();
  expect(batches()).toEqual(['c']);
});

test('a stopped mapping no longer listens to its stream', async () => {
  const { mapping, log } = mappingBench();
  const onWrite = log.onWrite.bind(log);
  let listening = 0;
  log.onWrite = (stream, listener) => {
    listening++;
    const stop = onWrite(stream, listener);
    return () => {
      listening--;
      stop();
    };
  };
  mapping.start();
  expect(listening).toBe(1);
  await mapping.stop();
  expect(listening).toBe(0);
});
