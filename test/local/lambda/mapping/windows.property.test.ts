import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { InvokeResult } from '#local/contracts';
import { mappingBench, START_MS, THROTTLED, THROWN } from './mapping-bench.ts';
import type { Call } from './mapping-bench.ts';

const RUNS = Number(process.env['PENSTOCK_RUNS'] ?? 60);

const world = fc.record({
  /** Each record comes so long after the one before. */
  gapsMs: fc.array(fc.integer({ min: 0, max: 25_000 }), { minLength: 1, maxLength: 15 }),
  moves: fc.array(fc.constantFrom('done', 'done', 'thrown', 'throttled', 'stateless'), {
    maxLength: 30,
  }),
  batchSize: fc.integer({ min: 1, max: 5 }),
  windowSec: fc.integer({ min: 1, max: 40 }),
  retries: fc.integer({ min: 0, max: 2 }),
  bisects: fc.boolean(),
  restartAt: fc.nat(15),
});
type World = typeof world extends fc.Arbitrary<infer W> ? W : never;

interface Seen {
  readonly start: string;
  readonly state: string;
  readonly texts: readonly string[];
  readonly isFinal: boolean;
  readonly isDone: boolean;
}

function seenOf(call: Call, isDone: boolean): Seen {
  const event = JSON.parse(call.payload) as {
    readonly window: { readonly start: string };
    readonly state: { readonly seen?: string };
    readonly isFinalInvokeForWindow: boolean;
  };
  const { window, state, isFinalInvokeForWindow: isFinal } = event;
  return { start: window.start, state: state.seen ?? '', texts: call.texts, isFinal, isDone };
}

/** Lives through a world, with a restart in the middle; answers what the function saw. */
async function live({ gapsMs, moves, restartAt, ...properties }: World) {
  const seen: Seen[] = [];
  const answer = (call: Call): InvokeResult => {
    const made = moves[seen.length] ?? 'done';
    const one = seenOf(call, made === 'done');
    seen.push(one);
    if (made === 'thrown') return THROWN;
    if (made === 'throttled') return THROTTLED;
    const state = { seen: one.state + one.texts.map((text) => `${text} `).join('') };
    return { kind: 'ok', payload: JSON.stringify(made === 'done' ? { state } : {}) };
  };
  const bench = mappingBench({
    properties: {
      BatchSize: properties.batchSize,
      TumblingWindowInSeconds: properties.windowSec,
      MaximumRetryAttempts: properties.retries,
      BisectBatchOnFunctionError: properties.bisects,
    },
    deps: { pace: { firstMs: 10, longestMs: 90 } },
    answer,
  });
  bench.mapping.start();
  let atMs = START_MS;
  const arrivals: number[] = [];
  for (const [place, gapMs] of gapsMs.entries()) {
    await bench.clock.advance(gapMs);
    atMs += gapMs;
    arrivals.push(atMs);
    if (place === restartAt) await bench.mapping.stop();
    bench.log.write('s0', String(place));
    if (place === restartAt) bench.mapping.start();
  }
  await bench.clock.advance(200_000);
  await bench.mapping.stop();
  return { seen, arrivals };
}

test('windows part the records by arrival, and each ends once, with the state of all it finished', async () => {
  await fc.assert(
    fc.asyncProperty(world, async (one) => {
      const { seen, arrivals } = await live(one);
      const windowMs = one.windowSec * 1000;
      const startOf = (text: string) =>
        new Date(Math.floor(arrivals[Number(text)]! / windowMs) * windowMs).toISOString();
      for (const { start, texts } of seen) {
        for (const text of texts) expect(startOf(text).slice(0, 19)).toBe(start.slice(0, 19));
      }
      const done = seen.filter(({ isDone }) => isDone);
      for (const start of new Set(seen.map((call) => call.start))) {
        const ofWindow = done.filter((call) => call.start === start);
        const finals = ofWindow.filter(({ isFinal }) => isFinal);
        expect(finals).toHaveLength(1);
        expect(ofWindow.at(-1)).toBe(finals[0]);
        const finished = ofWindow.flatMap(({ texts }) => texts);
        expect(finals[0]!.state).toBe(finished.map((text) => `${text} `).join(''));
        expect(finals[0]!.texts).toEqual([]);
      }
    }),
    { numRuns: RUNS },
  );
});

test('of one shard, windows are handed over one after the other', async () => {
  await fc.assert(
    fc.asyncProperty(world, async (one) => {
      const { seen } = await live(one);
      const starts = seen.map(({ start }) => start);
      expect(starts).toEqual(starts.toSorted());
    }),
    { numRuns: RUNS / 2 },
  );
});
