import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Defect } from '#core/assert';
import { lagTrend } from '#core/checkpoint/lag-trend';
import type { LagLook } from '#core/checkpoint/lag-trend';

const look = (atMs: number, change: Partial<LagLook> = {}): LagLook => ({
  atMs,
  behindMs: 0,
  behindRecords: 0,
  doneTotal: 0,
  ...change,
});

test('an idle stream is caught up, however long it is looked at', () => {
  expect(lagTrend(look(0, { doneTotal: 7 }), look(3_600_000, { doneTotal: 7 }))).toEqual({
    kind: 'caught-up',
    catchUpMs: null,
    donePerSec: 0,
    arrivingPerSec: 0,
  });
});

test('what falls by so much drains in so long, as fast as it did', () => {
  const before = look(0, { behindMs: 100_000, behindRecords: 900, doneTotal: 50 });
  const after = look(10_000, { behindMs: 80_000, behindRecords: 700, doneTotal: 350 });
  expect(lagTrend(before, after)).toEqual({
    kind: 'draining',
    catchUpMs: 40_000,
    donePerSec: 30,
    arrivingPerSec: 10,
  });
});

test('a consumer that stands still grows, and one as fast as what arrives is steady', () => {
  const before = look(0, { behindMs: 50_000 });
  expect(lagTrend(before, look(5_000, { behindMs: 55_000 })).kind).toBe('growing');
  expect(lagTrend(before, look(5_000, { behindMs: 50_240 })).kind).toBe('steady');
  expect(lagTrend(before, look(5_000, { behindMs: 49_760 })).kind).toBe('steady');
});

test('a lag as short as the pace of polling is steady', () => {
  const before = look(0, { behindMs: 1_900 });
  expect(lagTrend(before, look(1_000, { behindMs: 200 })).kind).toBe('steady');
  expect(lagTrend(look(0, { behindMs: 2_000 }), look(1_000, { behindMs: 200 })).kind).toBe(
    'draining',
  );
});

test('what was not counted has no rate of arrival', () => {
  const before = look(0, { behindMs: 50_000, behindRecords: null });
  expect(lagTrend(before, look(1_000, { behindMs: 9_000 })).arrivingPerSec).toBe(null);
});

test('as much is done and left at the end as was left and arrived', () =>
  fc.assert(
    fc.property(
      fc.nat(1e4),
      fc.nat(1e4),
      fc.nat(1e4),
      fc.integer({ min: 1, max: 1e6 }),
      (left, came, wish, ms) => {
        const done = Math.min(wish, left + came);
        const trend = lagTrend(
          look(0, { behindRecords: left, doneTotal: 3 }),
          look(ms, { behindRecords: left + came - done, doneTotal: 3 + done }),
        );
        expect((trend.donePerSec * ms) / 1_000).toBeCloseTo(done, 3);
        expect(((trend.arrivingPerSec ?? -1) * ms) / 1_000).toBeCloseTo(came, 3);
      },
    ),
  ));

test('two looks at one moment say nothing', () => {
  expect(() => lagTrend(look(5), look(5))).toThrow(Defect);
});
