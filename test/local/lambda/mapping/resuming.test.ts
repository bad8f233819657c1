import { expect, test } from 'vitest';
import { failing, DONE, mappingBench, settle, START_MS, THROWN } from './mapping-bench.ts';

test('CONS-11: an empty parent ends before its children start, and x is delivered', async () => {
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
});

test('CONS-11: all records of a parent come before those of its children', async () => {
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
});

test('a merged shard waits for both its parents', async () => {
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

test('CONS-13: shards of a later split are found and read', async () => {
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

test('CONS-13: a faithful mapping finds them too', async () => {
  const { mapping, log, clock, batches } = mappingBench({ deps: { isFaithful: true } });
  mapping.start();
  await settle();
  log.reshard(['s0'], ['s1']);
  log.write('s1', 'y');
  await clock.advance(3000);
  expect(batches()).toEqual(['y']);
});

test('LATEST begins after what is written, but reads whole what opens later', async () => {
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

test('AT_TIMESTAMP begins with what arrived then', async () => {
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

test('a restart resumes after what was finished, whatever the starting position', async () => {
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

test('a restart in the middle of a failing batch resumes where it was rewound to', async () => {
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

test('a restart with another parallelization factor begins where the slowest lane was', async () => {
  const texts = (calls: readonly { readonly texts: readonly string[] }[]) =>
    calls.flatMap((call) => call.texts);
  const first = mappingBench({
    properties: { ParallelizationFactor: 2, BatchSize: 1 },
    answer: ({ texts: [text] }) => (text === '5' ? new Promise(() => {}) : DONE),
  });
  first.log.write('s0', ...Array.from({ length: 9 }, (_, i) => [`key-${i}`, String(i)] as const));
  first.mapping.start();
  await settle();
  const second = mappingBench({
    properties: { ParallelizationFactor: 3 },
    log: first.log,
    storage: first.storage,
  });
  second.mapping.start();
  await settle();
  const delivered = [...texts(first.calls), ...texts(second.calls)];
  expect(new Set(delivered).size).toBe(9);
  expect(texts(second.calls)).toContain('5');
});

test('stopping waits for the invocation under way and keeps what it finished', async () => {
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

test('a disabled mapping reads nothing until it is enabled, and then from its place', async () => {
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

test('a stream that cannot be read for a while is tried again', async () => {
  const bench = mappingBench();
  const { read } = bench.log;
  bench.log.read = () => {
    throw new Error('no such stream');
  };
  bench.mapping.start();
  bench.log.write('s0', 'a');
  await settle();
  bench.log.read = read;
  await bench.clock.advance(1000);
  expect(bench.events.map(({ kind }) => kind)).toContain('read-failed');
  expect(bench.batches()).toEqual(['a']);
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
