import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mappingBench } from './mapping-bench.ts';
import type { Call } from './mapping-bench.ts';
import { answerTo } from './moves.ts';
import type { Move } from './moves.ts';

const move: fc.Arbitrary<Move> = fc.oneof(
  fc.constant({ kind: 'done' as const }),
  fc.constant({ kind: 'thrown' as const }),
  fc.constant({ kind: 'throttled' as const }),
  fc.constant({ kind: 'unknown' as const }),
  fc.record({ kind: fc.constant('partial' as const), at: fc.nat(20) }),
);

const world = fc.record({
  keys: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 25 }),
  moves: fc.array(move, { maxLength: 40 }),
  batchSize: fc.integer({ min: 1, max: 7 }),
  lanes: fc.integer({ min: 1, max: 3 }),
  retries: fc.integer({ min: 0, max: 3 }),
  bisects: fc.boolean(),
  reshardAt: fc.integer({ min: 0, max: 25 }),
  isFaithful: fc.boolean(),
});
type World = typeof world extends fc.Arbitrary<infer W> ? W : never;

/** Runs a world to its end: the scripted moves, and success ever after. */
async function live({
  keys,
  moves,
  batchSize,
  lanes,
  retries,
  bisects,
  reshardAt,
  isFaithful,
}: World) {
  const bench = mappingBench({
    properties: {
      BatchSize: batchSize,
      ParallelizationFactor: lanes,
      MaximumRetryAttempts: retries,
      BisectBatchOnFunctionError: bisects,
      DestinationConfig: { OnFailure: { Destination: 'arn:aws:s3:::quarantine' } },
    },
    deps: { isFaithful, pace: { firstMs: 10, longestMs: 90 } },
    answer: (call, index) => answerTo(call, moves[index] ?? { kind: 'done' }),
  });
  bench.mapping.start();
  keys.forEach((key, place) => {
    if (place === reshardAt) bench.log.reshard(['s0'], ['s1']);
    bench.log.write(place < reshardAt ? 's0' : 's1', [`key-${key}`, `${key}/${place}`]);
  });
  await bench.clock.advance(60_000);
  expect(bench.mapping.isIdle()).toBe(true);
  await bench.mapping.stop();
  const givenUp = [...bench.objects.values()].flatMap(
    (text) => (JSON.parse(JSON.parse(text).payload) as Call['event']).Records,
  );
  return {
    ...bench,
    written: keys.map((key, place) => `${key}/${place}`),
    givenUp: givenUp.map(({ kinesis }) => Buffer.from(kinesis.data, 'base64').toString()),
  };
}

const forAllWorlds = (check: (lived: Awaited<ReturnType<typeof live>>, world: World) => void) =>
  fc.assert(
    fc.asyncProperty(world, async (one) => check(await live(one), one)),
    { numRuns: Number(process.env['PENSTOCK_RUNS'] ?? 80) },
  );

test('every record is finished or given up, exactly once', async () => {
  await forAllWorlds(({ events, written }) => {
    const ends = events.filter(({ kind }) => kind === 'finished' || kind === 'gave-up');
    const counted = ends.reduce((sum, end) => sum + ('records' in end ? end.records : 0), 0);
    expect(counted).toBe(written.length);
  });
});

test('whatever is given up rests in the bucket, once, and was not finished', async () => {
  await forAllWorlds(({ events, givenUp }) => {
    expect(new Set(givenUp).size).toBe(givenUp.length);
    const told = events.filter(({ kind }) => kind === 'gave-up');
    expect(told.reduce((sum, end) => sum + ('records' in end ? end.records : 0), 0)).toBe(
      givenUp.length,
    );
  });
});

test('every record reaches the function, and of one key the first time in order', async () => {
  await forAllWorlds(({ calls, written }) => {
    const firstTimes = [...new Set(calls.flatMap(({ texts }) => texts))];
    expect(firstTimes.toSorted()).toEqual(written.toSorted());
    for (const key of ['0', '1', '2', '3']) {
      const ofKey = (text: string) => text.startsWith(`${key}/`);
      expect(firstTimes.filter(ofKey)).toEqual(written.filter(ofKey));
    }
  });
});

test('no batch is larger than the batch size', async () => {
  await forAllWorlds(({ calls }, { batchSize }) => {
    expect(Math.max(...calls.map(({ texts }) => texts.length))).toBeLessThanOrEqual(batchSize);
  });
});
