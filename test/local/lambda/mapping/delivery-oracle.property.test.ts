import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mappingBench } from './mapping-bench.ts';
import type { Call } from './mapping-bench.ts';
import { answerTo } from './moves.ts';
import type { Move } from './moves.ts';

const RUNS = Number(process.env['PENSTOCK_RUNS'] ?? 200);

const move: fc.Arbitrary<Move> = fc.oneof(
  fc.record({ kind: fc.constantFrom('done', 'thrown', 'throttled', 'unknown') }),
  fc.record({ kind: fc.constant('partial'), at: fc.nat(20) }),
);

const world = fc.record({
  records: fc.integer({ min: 1, max: 20 }),
  moves: fc.array(move, { maxLength: 40 }),
  /** Of one batch after the other. */
  again: fc.array(fc.boolean(), { maxLength: 6 }),
  batchSize: fc.integer({ min: 1, max: 8 }),
  retries: fc.integer({ min: 0, max: 3 }),
  bisects: fc.boolean(),
});
type World = typeof world extends fc.Arbitrary<infer W> ? W : never;

interface Story {
  readonly calls: string[];
  readonly finished: string[];
  readonly givenUp: string[];
}

/** The rules, said once more and slowly: a script of what happens, without time, queues or storage. */
function tell({ records, moves, again, batchSize, retries, bisects }: World): Story {
  const story: Story = { calls: [], finished: [], givenUp: [] };
  const script = [...moves];
  const deliver = (batch: string, failures: number, twice: boolean): void => {
    if (batch === '') return;
    story.calls.push(batch);
    const made = script.shift() ?? { kind: 'done' as const };
    if (made.kind === 'throttled') return deliver(batch, failures, twice);
    if (made.kind === 'done' && twice) return deliver(batch, failures, false);
    if (made.kind === 'done') return void story.finished.push(...batch);
    const done = made.kind === 'partial' ? made.at % batch.length : 0;
    story.finished.push(...batch.slice(0, done));
    const rest = batch.slice(done);
    if (bisects && done > 0) return deliver(rest, failures, twice);
    if (bisects && rest.length > 1) {
      const half = Math.round(rest.length / 2);
      deliver(rest.slice(0, half), failures, twice);
      return deliver(rest.slice(half), failures, twice);
    }
    if (failures === retries) return void story.givenUp.push(...rest);
    deliver(rest, failures + 1, twice);
  };
  const all = lettersOf(records);
  for (let at = 0, batch = 0; at < all.length; at += batchSize, batch++) {
    deliver(all.slice(at, at + batchSize), 0, again[batch] ?? false);
  }
  return story;
}

const lettersOf = (count: number) => 'abcdefghijklmnopqrstuvwxyz'.slice(0, count);

async function live(lived: World, isFaithful: boolean): Promise<Story> {
  const { records, moves, again, batchSize, retries, bisects } = lived;
  let batch = 0;
  const bench = mappingBench({
    properties: {
      BatchSize: batchSize,
      MaximumRetryAttempts: retries,
      BisectBatchOnFunctionError: bisects,
      DestinationConfig: { OnFailure: { Destination: 'arn:aws:s3:::quarantine' } },
    },
    deps: {
      isFaithful,
      pace: { firstMs: 10, longestMs: 90 },
      faults: { onBatch: () => (again[batch++] === true ? 'again' : undefined) },
    },
    answer: (call, index) => answerTo(call, moves[index] ?? { kind: 'done' }),
  });
  bench.log.write('s0', ...lettersOf(records));
  bench.mapping.start();
  await bench.clock.advance(60_000);
  expect(bench.mapping.isIdle()).toBe(true);
  await bench.mapping.stop();
  const numbers = bench.events.flatMap((event) =>
    event.kind === 'finished' ? [[event.firstSequenceNumber, event.records] as const] : [],
  );
  return {
    calls: bench.batches(),
    finished: numbers.flatMap(([first, count]) =>
      Array.from(lettersOf(records).slice(Number(first) - 10, Number(first) - 10 + count)),
    ),
    givenUp: [...bench.objects.values()].flatMap((text) =>
      (JSON.parse(JSON.parse(text).payload) as Call['event']).Records.map(({ kinesis }) =>
        Buffer.from(kinesis.data, 'base64').toString(),
      ),
    ),
  };
}

test('a shard is delivered call by call as the slow way says: N + 1 attempts, splits and reports', async () => {
  await fc.assert(
    fc.asyncProperty(world, fc.boolean(), async (one, isFaithful) => {
      expect(await live(one, isFaithful)).toEqual(tell(one));
    }),
    { numRuns: RUNS },
  );
});

test('the slow way finishes or gives up every record, once', () => {
  fc.assert(
    fc.property(world, (one) => {
      const { finished, givenUp } = tell(one);
      expect([...finished, ...givenUp].toSorted().join('')).toBe(lettersOf(one.records));
    }),
  );
});
