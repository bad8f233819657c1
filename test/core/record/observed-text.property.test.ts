import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareVersions } from '#core/record/fold';
import { observedText } from '#core/record/observed-text';
import { timestampOfMs } from '#core/record/timestamp';

const epoch = fc.integer({ min: 1, max: 9_999_999_999 });
const seen = fc.record({ epoch, counter: epoch });
const version = '2031-06-12T15:00:00.000000000Z';
const standing = (observed: string) => ({ version, observed });

const changedAt = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-01-01'), noInvalidDate: true })
  .map((date) => timestampOfMs(date.getTime()));

test('of one version, whatever a backfill saw gives way to whatever a live poll saw', () => {
  fc.assert(
    fc.property(seen, changedAt, seen, (old, at, live) => {
      const backfilled = standing(observedText({ ...old, changedAt: at }));
      expect(compareVersions(backfilled, standing(observedText(live)))).toBeLessThan(0);
    }),
  );
});

test('of one version, what was seen later stands: by epoch, then by counter', () => {
  fc.assert(
    fc.property(seen, seen, (one, other) => {
      const order = one.epoch - other.epoch || one.counter - other.counter;
      const [a, b] = [one, other].map((each) => standing(observedText(each)));
      expect(Math.sign(compareVersions(a!, b!))).toBe(Math.sign(order));
    }),
  );
});

test('of what backfills saw, what changed later does, whichever saw it; and of one moment what was seen later', () => {
  fc.assert(
    fc.property(
      seen,
      seen,
      fc.tuple(changedAt, changedAt),
      fc.boolean(),
      (one, other, [at, then], isOne) => {
        const otherAt = isOne ? at : then;
        const time = at === otherAt ? 0 : at < otherAt ? -1 : 1;
        const order = time || one.epoch - other.epoch || one.counter - other.counter;
        const a = standing(observedText({ ...one, changedAt: at }));
        const b = standing(observedText({ ...other, changedAt: otherAt }));
        expect(Math.sign(compareVersions(a, b))).toBe(Math.sign(order));
      },
    ),
  );
});

test('what backfills wrote before they went by time gives way to what they write now', () => {
  const before = standing('0000000000-0000000042-0000000007');
  const at = timestampOfMs(0);
  const now = standing(observedText({ epoch: 1, counter: 1, changedAt: at }));
  expect(compareVersions(before, now)).toBeLessThan(0);
});
