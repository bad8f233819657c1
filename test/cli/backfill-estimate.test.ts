/** A dry run asks a source as the backfill would. */
import { expect, test } from 'vitest';
import { memoryRateBudget } from '#adapters/memory/rate-budget';
import { estimateBackfill } from '#cli/backfill/estimate';
import { planSlices } from '#core/source/plan-slices';
import { rateGate } from '#pipeline/rate-gate';
import type { PageSource } from '#ports/page-source';
import { incremental, options, page, row, testClock } from '#test/pipeline/poll-world';

const HOUR_MS = 3_600_000;
const FROM_MS = Date.parse('2031-02-01T00:00:00Z');
const bounded = { ...incremental, until: { param: 'updated_before', windowMs: HOUR_MS } };
const opened = (source: PageSource) => ({
  options: { ...options, source: { ...options.source, incremental: bounded } },
  source,
  deletes: undefined,
  secrets: [],
});
const slicesOf = (days: number) =>
  planSlices({ fromMs: FROM_MS, toMs: FROM_MS + days * 24 * HOUR_MS, sliceMs: 24 * HOUR_MS });

test('no span that it asks for is longer than the source allows, and every span counts', async () => {
  const askedMs: number[] = [];
  const source: PageSource = {
    async fetchPage({ query: { updated_since: since = '', updated_before: before = '' } }) {
      askedMs.push(Date.parse(before) - Date.parse(since));
      return page([row('order-1', since)], askedMs.length === 4 ? 'more' : null);
    },
  };
  const slices = slicesOf(15);
  const ask = { incremental: bounded, slices, gate: undefined };
  expect(await estimateBackfill(opened(source), ask, () => undefined)).toEqual({
    spans: 15 * 24,
    sampled: 12,
    longer: 1,
    records: 12,
  });
  expect(new Set(askedMs)).toEqual(new Set([HOUR_MS]));
});

test('its requests leave by the budget of the API', async () => {
  const clock = testClock();
  const rate = { intervalMs: 10_000, burst: 1 };
  const gate = rateGate(
    { pipeline: 'orders', api: 'api.example.com', rate },
    { budget: memoryRateBudget(), clock, report: () => undefined },
  );
  const sentMs: number[] = [];
  const source: PageSource = {
    async fetchPage({ gate: asked }) {
      await asked?.enter(new AbortController().signal);
      sentMs.push(clock.nowMs());
      return page([]);
    },
  };
  const ask = { incremental: bounded, slices: slicesOf(5), gate };
  await estimateBackfill(opened(source), ask, () => undefined);
  const gapsMs = sentMs.slice(1).map((ms, at) => ms - sentMs[at]!);
  expect(gapsMs).toHaveLength(4);
  expect(Math.min(...gapsMs)).toBeGreaterThanOrEqual(rate.intervalMs);
});
