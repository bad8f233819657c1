/** One budget, many functions: what leaves in any time, whoever dies and whatever clocks say. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SKEW_MS_MAX } from '#core/source/rate';
import { excessOf, PAUSE_MS, runCallers } from './rate-world.ts';

/** Per second; a fraction of a request is no request, but rates need not be whole. */
const perSec = fc.constantFrom(0.5, 1, 3, 7.5, 10, 30, 100);
const rates = fc.record({ perSec, burst: fc.constantFrom(1, 1, 2, 5, 12) });
const callers = fc.array(
  fc.record({
    aheadMs: fc.constantFrom(0, SKEW_MS_MAX, 4),
    answerMs: fc.oneof(fc.constantFrom(0, 3), fc.integer({ min: 0, max: 400 })),
    restMs: fc.constantFrom(0, 0, 5, 120, 2_500),
  }),
  { minLength: 1, maxLength: 5 },
);

const schedules = fc
  .record({
    seed: fc.nat(),
    rate: rates,
    callers,
    deathEvery: fc.constantFrom(0, 2, 5, 20),
    tableMs: fc.constantFrom(0, 10, 60, 700),
    lateMs: fc.constantFrom(0, 2, 80),
  })
  .map(({ rate, ...schedule }) => {
    const { perSec: requests, burst } = rate;
    const forMs = Math.max(2_000, 30_000 / requests / schedule.callers.length);
    return { ...schedule, forMs, rate: { intervalMs: 1_000 / requests, burst } };
  });

describe('a rate budget', () => {
  test('in any time W at most rate × W + burst leave, functions killed and clocks apart', () =>
    fc.assert(
      fc.asyncProperty(schedules, async (schedule) => {
        const { sent } = await runCallers(schedule);
        if (schedule.deathEvery === 0) expect(sent.length).toBeGreaterThan(0);
        expect(excessOf(sent, schedule.rate)).toBeLessThanOrEqual(schedule.rate.burst + 1e-6);
      }),
      { numRuns: Number(process.env['RATE_RUNS'] ?? 60) },
    ));

  test('nothing leaves in a pause that one of them was told, from when the others can know', () =>
    fc.assert(
      fc.asyncProperty(schedules, async (drawn) => {
        const forMs = drawn.forMs + 6_000;
        const { sent, pauses } = await runCallers({ ...drawn, forMs, pausesAtMs: [900, 4_000] });
        // The answer must come, then the table know; then a portion, or an unheard second, ends.
        const answerMs = Math.max(...drawn.callers.map((caller) => caller.answerMs));
        const knownMs = answerMs + 2 * drawn.tableMs + drawn.lateMs + SKEW_MS_MAX;
        const { intervalMs, burst } = drawn.rate;
        const unheardMs = knownMs + Math.max(1_000, intervalMs) + burst * intervalMs;
        for (const { fromMs, untilMs } of pauses) {
          const inside = sent.filter(
            ({ atMs }) => atMs > fromMs + unheardMs && atMs < untilMs - SKEW_MS_MAX,
          );
          expect(inside).toEqual([]);
        }
      }),
      { numRuns: 20 },
    ));

  test('who is told of a pause keeps it to its end', async () => {
    const alone = { aheadMs: 0, answerMs: 10, restMs: 0 };
    const schedule = { seed: 7, callers: [alone], deathEvery: 0, tableMs: 4, lateMs: 0 };
    const rate = { intervalMs: 100, burst: 4 };
    const { sent, pauses } = await runCallers({
      ...schedule,
      rate,
      forMs: 4_000,
      pausesAtMs: [500],
    });
    const [pause] = pauses;
    const after = sent.filter(({ atMs }) => atMs > (pause?.fromMs ?? 0)).map(({ atMs }) => atMs);
    expect(after[0]).toBeGreaterThanOrEqual((pause?.fromMs ?? 0) + PAUSE_MS);
    expect(after[0]).toBeLessThan((pause?.fromMs ?? 0) + PAUSE_MS + 200);
  });

  test('when nobody dies, at least 80 % of the rate is used, in fair shares', () =>
    fc.assert(
      fc.asyncProperty(
        fc.record({
          seed: fc.nat(),
          requests: fc.constantFrom(3, 10, 30, 100),
          burst: fc.constantFrom(1, 4),
          aheads: fc.array(fc.integer({ min: 0, max: SKEW_MS_MAX }), {
            minLength: 1,
            maxLength: 4,
          }),
          tableMs: fc.constantFrom(0, 6, 20),
        }),
        async ({ seed, requests, burst, aheads, tableMs }) => {
          const rate = { intervalMs: 1_000 / requests, burst };
          const answerMs = Math.floor(rate.intervalMs / 2);
          const callers = aheads.map((aheadMs) => ({ aheadMs, answerMs, restMs: 0 }));
          const forMs = 3_000 * aheads.length + 2_000;
          const shared = { seed, rate, callers, forMs, tableMs, deathEvery: 0, lateMs: 1 };
          const { sent } = await runCallers(shared);
          const used = sent.length / (requests * (forMs / 1_000));
          expect(used).toBeGreaterThan(0.8);
          for (const caller of callers.keys()) {
            const own = sent.filter((one) => one.caller === caller).length;
            expect(own).toBeGreaterThan((0.6 * sent.length) / callers.length);
          }
        },
      ),
      { numRuns: 15 },
    ));
});
