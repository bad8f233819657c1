import { expect, test } from 'vitest';
import { ruleTest } from '#test/local/rules/rule-test';
import { DONE, mappingBench, settle, THROTTLED, THROWN } from './mapping-bench.ts';
import type { BenchOptions, MappingBench } from './mapping-bench.ts';

/** Stops a mapping and goes on with another over the same log and storage. */
async function changed(before: MappingBench, options: BenchOptions): Promise<MappingBench> {
  await before.mapping.stop();
  const { log, storage } = before;
  const after = mappingBench({ ...options, log, storage });
  after.mapping.start();
  await settle();
  return after;
}

const textsOf = ({ calls }: MappingBench) => calls.flatMap(({ texts }) => texts);

ruleTest('mapping', 'update-factor', async () => {
  const records = Array.from({ length: 30 }, (_, i) => [`key-${i}`, String(i)] as const);
  let held = new Set(['5', '11', '17']);
  const answer: BenchOptions['answer'] = ({ texts }) =>
    texts.some((text) => held.has(text)) ? THROTTLED : DONE;
  const first = mappingBench({
    properties: { ParallelizationFactor: 3, BatchSize: 1 },
    answer,
  });
  first.log.write('s0', ...records);
  first.mapping.start();
  await settle();
  const second = await changed(first, { properties: { ParallelizationFactor: 5 }, answer });
  held = new Set();
  const third = await changed(second, { properties: { ParallelizationFactor: 1 } });
  third.log.write('s0', ['key-7', 'last']);
  await settle();

  const finished = [first, second, third].flatMap(({ events }) =>
    events.flatMap((event) => (event.kind === 'finished' ? [event.records] : [])),
  );
  expect(finished.reduce((sum, count) => sum + count, 0)).toBe(31);
  expect(new Set([...textsOf(first), ...textsOf(second), ...textsOf(third)]).size).toBe(31);
  expect(third.batches().at(-1)).toBe('last');
});

ruleTest('mapping', 'update-attempts', async () => {
  const properties = { MaximumRetryAttempts: 2 };
  const answer = () => THROWN;
  const first = mappingBench({ properties, answer });
  first.log.write('s0', 'a');
  first.mapping.start();
  await first.clock.advance(200);
  expect(first.batches()).toEqual(['a', 'a']);
  const second = await changed(first, { properties, answer });
  await second.clock.advance(60_000);
  expect(second.batches()).toEqual(['a', 'a', 'a']);
});

ruleTest('mapping', 'stream-made-again', async () => {
  for (const StartingPosition of ['TRIM_HORIZON', 'LATEST']) {
    const { mapping, log, clock, batches } = mappingBench({ properties: { StartingPosition } });
    mapping.start();
    log.write('s0', 'a', 'b', 'c');
    await settle();
    log.deleteStream();
    await clock.advance(5000);
    log.addShard('s0');
    log.write('s0', 'new');
    await clock.advance(5000);
    log.write('s0', 'newer');
    await settle();
    expect(batches(), StartingPosition).toEqual(['abc', 'new', 'newer']);
    await mapping.stop();
  }
});

ruleTest(
  'mapping',
  'stream-made-again',
  async () => {
    const first = mappingBench();
    first.mapping.start();
    first.log.write('s0', 'a', 'b', 'c');
    await settle();
    await first.mapping.stop();
    first.log.deleteStream();
    first.log.addShard('s0');
    first.log.write('s0', 'new');
    const second = await changed(first, {});
    expect(second.batches()).toEqual(['new']);
  },
  'while its mapping rests',
);

test('a mapping that is stopped while its stream is made again stays stopped', async () => {
  let finish = () => {};
  const { mapping, log, batches } = mappingBench({
    answer: () => new Promise((resolve) => (finish = () => resolve(DONE))),
  });
  log.write('s0', 'a');
  mapping.start();
  await settle();
  log.deleteStream();
  log.addShard('s0');
  log.write('s0', 'new');
  const stopping = mapping.stop();
  finish();
  await stopping;
  await settle();
  expect(batches()).toEqual(['a']);
});

test('a stream that is gone is asked for until it is there again', async () => {
  const { mapping, log, clock, batches, events } = mappingBench();
  log.deleteStream();
  mapping.start();
  await clock.advance(3000);
  expect(mapping.isIdle()).toBe(true);
  log.addShard('s0');
  log.write('s0', 'a');
  await clock.advance(1000);
  expect(batches()).toEqual(['a']);
  expect(events.map(({ kind }) => kind)).toContain('read-failed');
});

ruleTest('mapping', 'at-least-once', async () => {
  let left = 1;
  const bench = mappingBench({
    deps: { faults: { onBatch: () => (left-- > 0 ? 'again' : undefined) } },
  });
  bench.log.write('s0', 'a', 'b');
  bench.mapping.start();
  await settle();
  bench.log.write('s0', 'c');
  await settle();
  expect(bench.batches()).toEqual(['ab', 'ab', 'c']);
  expect(bench.events.filter(({ kind }) => kind === 'finished')).toHaveLength(2);
});

ruleTest(
  'mapping',
  'at-least-once',
  async () => {
    const first = mappingBench({
      deps: { faults: { onBatch: () => 'again' } },
      answer: (_, index) => {
        if (index === 1) void first.mapping.stop();
        return index === 0 ? DONE : THROWN;
      },
    });
    first.log.write('s0', 'a');
    first.mapping.start();
    await settle();
    const second = await changed(first, {});
    expect(second.batches()).toEqual(['a']);
  },
  'before its place is kept',
);

ruleTest('mapping', 'withheld', async () => {
  let isHeld = true;
  const { mapping, log, clock, batches, events } = mappingBench({
    shards: ['s0', 's1'],
    deps: {
      faults: { onBatch: (_, shardId) => (isHeld && shardId === 's0' ? 'withhold' : undefined) },
    },
  });
  log.write('s0', 'a');
  log.write('s1', 'b');
  mapping.start();
  await clock.advance(10_000);
  expect(batches()).toEqual(['b']);
  expect(mapping.isIdle()).toBe(false);
  isHeld = false;
  await clock.advance(1000);
  expect(batches()).toEqual(['b', 'a']);
  expect(events.filter(({ kind }) => kind === 'withheld').length).toBeGreaterThan(5);
});

test('a mapping that is stopped does not deliver what is withheld', async () => {
  const { mapping, log, batches } = mappingBench({
    deps: { faults: { onBatch: () => 'withhold' } },
  });
  log.write('s0', 'a');
  mapping.start();
  await settle();
  await mapping.stop();
  expect(batches()).toEqual([]);
});

ruleTest('mapping', 'start-trim-horizon', async () => {
  const { mapping, log, batches } = mappingBench();
  log.write('s0', 'a', 'b');
  mapping.start();
  log.write('s0', 'c');
  await settle();
  expect(batches().join('')).toBe('abc');
});
