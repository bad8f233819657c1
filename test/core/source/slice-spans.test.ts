import fc from 'fast-check';
import { expect, test } from 'vitest';
import { systemZone } from '#adapters/system/zone';
import { timestampMs, timestampOfMs } from '#core/record/timestamp';
import type { TimeFormat } from '#core/record/timestamp';
import { askedFrom } from '#core/source/bound';
import type { Incremental } from '#core/source/page-query';
import { sliceEnd, sliceSpans } from '#core/source/slice-spans';

const HOUR_MS = 3_600_000;
const FROM_MS = Date.parse('2031-03-29T00:00:00Z');

const PARAM_FORMATS: readonly TimeFormat[] = [
  'iso',
  'epoch-ms',
  'epoch-s',
  'iso-s',
  { kind: 'local', zone: systemZone('Europe/Berlin') },
];

const incremental = fc.record({
  param: fc.constant('since'),
  path: fc.constant(['at']),
  fieldFormat: fc.constant(undefined),
  horizonMs: fc.constant(90_000),
  ordered: fc.boolean(),
  inclusive: fc.boolean(),
  paramFormat: fc.constantFrom(...PARAM_FORMATS),
  until: fc.record({
    param: fc.constant('before'),
    windowMs: fc.constantFrom(undefined, HOUR_MS, 5 * HOUR_MS),
  }),
}) satisfies fc.Arbitrary<Incremental>;

const slice = fc
  .tuple(fc.integer({ min: 0, max: 72 * HOUR_MS }), fc.integer({ min: 1, max: 30 * HOUR_MS }))
  .map(([afterMs, lengthMs]) => ({
    fromMs: FROM_MS + afterMs,
    toMs: FROM_MS + afterMs + lengthMs,
  }));

test('the spans of a slice follow each other from its beginning to its end, none longer than is allowed', () => {
  fc.assert(
    fc.property(slice, incremental, (of, rules) => {
      const spans = sliceSpans(of, rules);
      expect(spans[0]?.from).toBe(timestampOfMs(of.fromMs));
      expect(spans.at(-1)?.to).toBe(sliceEnd(of, rules));
      expect(timestampMs(sliceEnd(of, rules))).toBeGreaterThanOrEqual(of.toMs);
      for (const [at, { from, to }] of spans.entries()) {
        if (at > 0) expect(from).toBe(spans[at - 1]?.to);
        // Two hours of local time are one tick, where clocks are set back.
        const { windowMs = Infinity } = typeof rules.paramFormat === 'string' ? rules.until : {};
        expect(timestampMs(to!) - timestampMs(askedFrom(from!, rules))).toBeLessThanOrEqual(
          windowMs,
        );
      }
    }),
  );
});

test('a slice of a source without a limit is asked for in one span', () => {
  const of = { fromMs: FROM_MS, toMs: FROM_MS + 7 * HOUR_MS };
  const rules = fc.sample(incremental, 1)[0]!;
  const until = { param: 'before' };
  const spans = sliceSpans(of, { ...rules, paramFormat: 'epoch-s', until });
  expect(spans).toEqual([{ from: timestampOfMs(of.fromMs), to: timestampOfMs(of.toMs) }]);
});
