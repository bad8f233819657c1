import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NOTHING_RECENT, applyRecords, decideTrip } from '#core/breaker/refusal-share';
import type { BreakerRule } from '#core/breaker/refusal-share';
import type { RefusalReason } from '#core/record/refusal';

const rule: BreakerRule = { percent: 40, recordsMin: 10 };
const reasons: readonly RefusalReason[] = ['not-json', 'no-key', 'item-too-large'];

const batch = fc.integer({ min: 1, max: 30 }).chain((received) =>
  fc.record({
    received: fc.constant(received),
    refused: fc.array(fc.constantFrom(...reasons), { maxLength: received }),
  }),
);

const remember = (batches: readonly { received: number; refused: RefusalReason[] }[]) =>
  batches.reduce((recent, came) => applyRecords(recent, came, rule), NOTHING_RECENT);

test('it trips exactly when one reason has its share of enough records', () => {
  fc.assert(
    fc.property(batch, ({ received, refused }) => {
      const most = Math.max(...reasons.map((one) => refused.filter((it) => it === one).length));
      const trip = decideTrip(remember([{ received, refused }]), rule);
      expect(trip !== undefined).toBe(received >= 10 && most > 0 && most / received >= 0.4);
      if (trip) expect(trip).toMatchObject({ refused: most, received });
    }),
  );
});

test('shares of several reasons do not add up', () => {
  const refused: RefusalReason[] = [...'aaa'].flatMap(() => ['not-json', 'no-key'] as const);
  expect(decideTrip(remember([{ received: 10, refused }]), rule)).toBe(undefined);
});

test('what is remembered is bounded, and never less than a judgement needs', () => {
  fc.assert(
    fc.property(fc.array(batch, { minLength: 1, maxLength: 200 }), (batches) => {
      const { received } = remember(batches);
      const all = batches.reduce((sum, one) => sum + one.received, 0);
      expect(received).toBeLessThanOrEqual(10 * rule.recordsMin + 30);
      expect(received).toBeGreaterThanOrEqual(Math.min(all, (10 * rule.recordsMin) / 2));
    }),
  );
});

test('a long good past does not hide what went bad', () => {
  const good = Array.from({ length: 1_000 }, () => ({ received: 20, refused: [] }));
  const bad = { received: 20, refused: Array<RefusalReason>(20).fill('no-key') };
  const worse = Array.from({ length: 10 }, () => bad);
  expect(decideTrip(remember(good), rule)).toBe(undefined);
  expect(decideTrip(remember([...good, ...worse]), rule)).toMatchObject({ reason: 'no-key' });
});
