import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareVersions } from '#core/record/fold';
import { observedText } from '#core/record/observed-text';

const epoch = fc.integer({ min: 1, max: 9_999_999_999 });
const seen = fc.record({ epoch, counter: epoch });
const version = '2031-06-12T15:00:00.000000000Z';
const standing = (observed: string) => ({ version, observed });

test('of one version, whatever a backfill saw gives way to whatever a live poll saw', () => {
  fc.assert(
    fc.property(seen, seen, (old, live) => {
      const backfilled = standing(observedText({ ...old, passage: 'backfill' }));
      expect(compareVersions(backfilled, standing(observedText(live)))).toBeLessThan(0);
    }),
  );
});

test('of one version, what was seen later stands: by epoch, then by counter, in either passage', () => {
  const passage = fc.constantFrom('backfill' as const, undefined);
  fc.assert(
    fc.property(seen, seen, passage, (one, other, of) => {
      const order = one.epoch - other.epoch || one.counter - other.counter;
      const [a, b] = [one, other].map((each) => standing(observedText({ ...each, passage: of })));
      expect(Math.sign(compareVersions(a!, b!))).toBe(Math.sign(order));
    }),
  );
});
