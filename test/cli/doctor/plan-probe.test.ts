import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planProbe } from '#cli/doctor/plan-probe';
import { parseTimestamp, timestampMs } from '#core/record/timestamp';
import type { Timestamp } from '#core/record/timestamp';

/** Some nanoseconds within five seconds: ties, and times that no epoch can say. */
const time = fc
  .tuple(fc.integer({ min: 10, max: 14 }), fc.constantFrom('', '.5', '.250', '.250000001'))
  .map(([sec, rest]) => parseTimestamp(`2031-04-16T11:54:${sec}${rest}Z`, 'iso') as Timestamp);

test.each([
  ['iso', () => true],
  ['epoch-ms', (at: Timestamp) => at.endsWith('000000Z')],
  ['epoch-s', (at: Timestamp) => at.endsWith('.000000000Z')],
] as const)(
  'as %s, a probe is at the latest time that can be said whole and lies a second after the first',
  (format, canBeSaid) => {
    fc.assert(
      fc.property(fc.array(time, { maxLength: 8 }), (times) => {
        const secondOf = (at: Timestamp) => Math.floor(timestampMs(at) / 1_000);
        const firstSecond = Math.min(...times.map(secondOf));
        const able = times.filter((at) => canBeSaid(at) && secondOf(at) > firstSecond).sort();
        expect(planProbe(times, format)).toBe(able.at(-1));
      }),
    );
  },
);
