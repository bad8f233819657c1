import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { timestampMs, timestampOfMs } from '#core/record/timestamp';
import { askedFrom } from '#core/source/bound';
import type { Incremental } from '#core/source/page-query';
import { isBehind, latestSpan, planSpan } from '#core/source/span';

const NOW_MS = Date.parse('2031-06-12T16:00:00Z');
const at = (ms: number) => timestampOfMs(NOW_MS + ms);

const ruled = fc.record({
  paramFormat: fc.constantFrom('iso' as const, 'epoch-ms' as const, 'epoch-s' as const),
  inclusive: fc.boolean(),
  windowMs: fc.integer({ min: 2_000, max: 90_000_000 }),
});
const incrementalOf = ({
  windowMs,
  ...rules
}: typeof ruled extends fc.Arbitrary<infer T> ? T : never) =>
  ({
    param: 'since',
    path: ['at'],
    fieldFormat: undefined,
    horizonMs: 0,
    ordered: true,
    start: at(-100_000_000),
    until: { param: 'before', windowMs },
    ...rules,
  }) satisfies Incremental;

test('a span begins at the boundary, lies ahead, and is no longer than a window', () => {
  fc.assert(
    fc.property(ruled, fc.integer({ min: -200_000_000, max: 5_000 }), (rules, fromMs) => {
      const incremental = incrementalOf(rules);
      const from = at(fromMs);
      const { to = from, ...span } = planSpan(incremental, from, NOW_MS);
      expect(span).toEqual({ from });
      expect(to > from).toBe(true);
      expect(timestampMs(to) - timestampMs(askedFrom(from, incremental))).toBeLessThanOrEqual(
        rules.windowMs,
      );
      expect(to <= at(1_000) || fromMs >= 0).toBe(true);
    }),
  );
});

describe('a source without windows', () => {
  const { until: _, ...endless } = incrementalOf({
    paramFormat: 'iso',
    inclusive: true,
    windowMs: 1,
  });

  test('is asked without an end, from its start on or from the boundary', () => {
    expect(planSpan(endless, null, NOW_MS)).toEqual({ from: at(-100_000_000) });
    expect(planSpan(endless, at(-7), NOW_MS)).toEqual({ from: at(-7) });
    expect(planSpan(undefined, null, NOW_MS)).toEqual({ from: null });
    const told = { ...endless, until: { param: 'before' } };
    expect(planSpan(told, at(-7), NOW_MS)).toEqual({ from: at(-7) });
  });

  test('is looked at from its very first row on', () => {
    expect(latestSpan(endless, NOW_MS)).toEqual({ from: null });
  });
});

describe('a source with windows', () => {
  const incremental = incrementalOf({ paramFormat: 'epoch-s', inclusive: false, windowMs: 61_000 });

  test('is looked at from its latest on', () => {
    expect(latestSpan(incremental, NOW_MS + 1)).toEqual({ from: at(-60_000), to: at(0) });
  });

  test.each([
    ['before now', -1_000, 0, true],
    ['now', 0, 5_000, false],
    ['before our now, but not before the source’s', -1_000, -1_001, false],
  ])('whose span ended %s is behind: %s', (_when, toMs, sourceMs, behind) => {
    const clocks = { nowMs: NOW_MS, sourceMs: NOW_MS + sourceMs };
    expect(isBehind(at(toMs), incremental, clocks)).toBe(behind);
  });
});
