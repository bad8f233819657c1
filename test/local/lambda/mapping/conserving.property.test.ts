import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DONE, failing, mappingBench, THROTTLED, THROWN } from './mapping-bench.ts';
import type { Call } from './mapping-bench.ts';

const RUNS = Number(process.env['PENSTOCK_RUNS'] ?? 80);

const world = fc.record({
  /** A key each; those that are undefined have data that is no JSON. */
  keys: fc.array(fc.option(fc.integer({ min: 0, max: 3 })), { minLength: 1, maxLength: 25 }),
  keyMax: fc.integer({ min: -1, max: 3 }),
  moves: fc.array(fc.constantFrom('done', 'thrown', 'throttled', 'last'), { maxLength: 30 }),
  faults: fc.array(fc.constantFrom('again' as const, 'withhold' as const, undefined), {
    maxLength: 12,
  }),
  batchSize: fc.integer({ min: 1, max: 7 }),
  /** Of one run of the mapping after the other. */
  lanes: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 4 }),
  reshardAt: fc.nat(25),
});
type World = typeof world extends fc.Arbitrary<infer W> ? W : never;

function answerTo(call: Call, made: World['moves'][number] | undefined) {
  switch (made) {
    case 'thrown':
      return THROWN;
    case 'throttled':
      return THROTTLED;
    case 'last':
      return failing(call.sequenceNumbers.at(-1));
    default:
      return DONE;
  }
}

/** Lives through changes of the lanes, each in the middle of what goes on. */
async function live({ keys, keyMax, moves, faults, batchSize, lanes, reshardAt }: World) {
  const script = { moves: [...moves], faults: [...faults] };
  const pattern = JSON.stringify({ data: { key: [{ numeric: ['<=', keyMax] }] } });
  const texts = keys.map((key, place) =>
    key === null ? `plain ${place}` : JSON.stringify({ key, place }),
  );
  const cut = Math.ceil(keys.length / lanes.length);
  let bench: ReturnType<typeof mappingBench> | undefined;
  const told: ReturnType<typeof mappingBench>['events'][number][] = [];
  const calls: Call[] = [];
  for (const [run, ParallelizationFactor] of lanes.entries()) {
    const before = bench;
    bench = mappingBench({
      ...(before === undefined ? {} : { log: before.log, storage: before.storage }),
      properties: {
        BatchSize: batchSize,
        ParallelizationFactor,
        MaximumRetryAttempts: 1,
        FilterCriteria: { Filters: [{ Pattern: pattern }] },
      },
      deps: {
        pace: { firstMs: 10, longestMs: 90 },
        faults: { onBatch: () => script.faults.shift() },
      },
      answer: (call) => answerTo(call, script.moves.shift()),
    });
    bench.mapping.start();
    for (const [at, text] of texts.slice(run * cut, (run + 1) * cut).entries()) {
      const place = run * cut + at;
      if (place === reshardAt) bench.log.reshard(['s0'], ['s1']);
      bench.log.write(place < reshardAt ? 's0' : 's1', [`key-${keys[place]}`, text]);
    }
    // All but the last are stopped while they have pauses to make.
    await bench.clock.advance(run === lanes.length - 1 ? 60_000 : 5);
    await bench.mapping.stop();
    told.push(...bench.events);
    calls.push(...bench.calls);
  }
  return { texts, told, calls };
}

const passes = (text: string, keyMax: number) =>
  text.startsWith('{') && (JSON.parse(text) as { key: number }).key <= keyMax;

const count = (events: Awaited<ReturnType<typeof live>>['told'], ...kinds: string[]) =>
  events.reduce(
    (sum, event) => sum + (kinds.includes(event.kind) && 'records' in event ? event.records : 0),
    0,
  );

test('whatever is changed, every record that passes the filter is finished or given up, exactly once', async () => {
  await fc.assert(
    fc.asyncProperty(world, async (one) => {
      const { texts, told, calls } = await live(one);
      const wanted = texts.filter((text) => passes(text, one.keyMax));
      expect(count(told, 'finished', 'gave-up')).toBe(wanted.length);
      const delivered = [...new Set(calls.flatMap((call) => call.texts))];
      expect(delivered.toSorted()).toEqual(wanted.toSorted());
      for (const key of ['0', '1', '2', '3']) {
        const ofKey = (text: string) => text.startsWith(`{"key":${key},`);
        expect(delivered.filter(ofKey)).toEqual(wanted.filter(ofKey));
      }
    }),
    { numRuns: RUNS },
  );
});

test('delivered and filtered together are what was written', async () => {
  await fc.assert(
    fc.asyncProperty(world, async (one) => {
      const { texts, told, calls } = await live({ ...one, lanes: one.lanes.slice(0, 1) });
      const filtered = told.reduce(
        (sum, event) => sum + (event.kind === 'polled' ? event.filtered : 0),
        0,
      );
      expect(new Set(calls.flatMap((call) => call.texts)).size + filtered).toBe(texts.length);
      expect(count(told, 'polled')).toBe(texts.length);
    }),
    { numRuns: RUNS },
  );
});
