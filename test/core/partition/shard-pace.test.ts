import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  SHARD_LIMITS,
  applySpend,
  applyThrottle,
  applyTime,
  firstPace,
  waitMs,
} from '#core/partition/shard-pace';
import type { ShardPace } from '#core/partition/shard-pace';

const limits = { recordsPerSec: 1_000, bytesPerSec: 50_000 };
const START_MS = 1_900_000_000_000;

/** Sends as much as it may, waiting exactly as long as it is told; what is over `freePerSec` throttles. */
function send(freePerSec: number, seconds: number, bytes: number) {
  let nowMs = START_MS;
  let pace = firstPace(nowMs);
  let second = 0;
  let taken = 0;
  const tally = { sent: 0, throttled: 0, lateSent: 0, lateThrottled: 0 };
  while (nowMs < START_MS + seconds * 1_000) {
    pace = applyTime(pace, nowMs, limits);
    const wait = waitMs(pace, limits);
    if (wait > 0) {
      nowMs += wait;
      continue;
    }
    pace = applySpend(pace, bytes);
    const inSecond = Math.floor(nowMs / 1_000);
    if (inSecond !== second) [second, taken] = [inSecond, 0];
    const isThrottled = taken >= freePerSec;
    if (!isThrottled) taken++;
    else pace = applyThrottle(pace, nowMs, limits);
    const isLate = nowMs > START_MS + (seconds * 1_000) / 2;
    tally.sent++;
    tally.throttled += Number(isThrottled);
    tally.lateSent += Number(isLate);
    tally.lateThrottled += Number(isLate && isThrottled);
  }
  return tally;
}

test.each([1_000, 600, 250])(
  'a shard of which %d records a second are free settles: few are throttled, most of it is used',
  (freePerSec) => {
    const { lateSent, lateThrottled } = send(freePerSec, 240, 1);
    expect(lateThrottled / lateSent).toBeLessThanOrEqual(0.05);
    expect(lateSent - lateThrottled).toBeGreaterThan(0.75 * freePerSec * 120);
  },
);

test('bytes are paced as records are', () => {
  const { sent } = send(Infinity, 60, 500);
  expect(sent / 60).toBeGreaterThan(0.95 * 100);
  expect(sent / 60).toBeLessThan(1.05 * 100);
});

const moment = fc.oneof(
  fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: -50, max: 5_000 }) }),
  fc.record({ kind: fc.constant('spend' as const), bytes: fc.integer({ min: 1, max: 100_000 }) }),
  fc.record({ kind: fc.constant('throttle' as const), ms: fc.constant(0) }),
);

test('whatever happens, nothing is sent beyond the limits, and waiting as told is enough', () => {
  fc.assert(
    fc.property(fc.array(moment, { maxLength: 80 }), (moments) => {
      let nowMs = START_MS;
      let pace: ShardPace = firstPace(nowMs);
      let records = 0;
      for (const one of moments) {
        if (one.kind === 'wait') nowMs += one.ms;
        pace = applyTime(pace, nowMs, limits);
        if (one.kind === 'throttle') pace = applyThrottle(pace, nowMs, limits);
        if (one.kind === 'spend') {
          nowMs = Math.max(nowMs, pace.atMs) + waitMs(pace, limits);
          pace = applyTime(pace, nowMs, limits);
          expect(waitMs(pace, limits)).toBe(0);
          pace = applySpend(pace, one.bytes);
          records++;
        }
        expect(pace.share).toBeGreaterThan(0);
        expect(pace.share).toBeLessThanOrEqual(1);
        const passedSec = (Math.max(nowMs, pace.atMs) - START_MS) / 1_000;
        expect(records).toBeLessThanOrEqual(limits.recordsPerSec * passedSec + 101);
      }
    }),
  );
});

test('a share falls once a second at most, and rises slowly', () => {
  const fallen = applyThrottle(firstPace(START_MS), START_MS + 1_000, limits);
  expect(fallen.share).toBeCloseTo(0.85);
  expect(applyThrottle(fallen, START_MS + 1_999, limits).share).toBeCloseTo(0.85);
  expect(applyThrottle(fallen, START_MS + 2_000, limits).share).toBeCloseTo(0.7225);
  expect(applyTime(fallen, fallen.atMs + 5_000, limits).share).toBeCloseTo(0.9);
  expect(applyTime(fallen, fallen.atMs + 60_000, limits).share).toBe(1);
  expect(waitMs(fallen, limits)).toBe(355);
});

const at = (over: Partial<ShardPace>): ShardPace => ({ ...firstPace(START_MS), ...over });

test('time fills what may be sent at the rate of the share, up to a tenth of a second', () => {
  const half = at({ share: 0.5, records: 2, bytes: -100 });
  expect(applyTime(half, START_MS + 40, limits)).toMatchObject({
    records: 22,
    bytes: 900,
    atMs: START_MS + 40,
    share: expect.closeTo(0.5004, 6),
  });
  expect(applyTime(half, START_MS + 9_000, limits)).toMatchObject({ records: 50, bytes: 2_500 });
  const slow = { recordsPerSec: 5, bytesPerSec: 3 };
  expect(applyTime(at({}), START_MS + 9_000, slow)).toMatchObject({ records: 1, bytes: 1 });
});

test('a clock that goes back takes nothing away and gives nothing', () => {
  const pace = at({ share: 0.5, records: 7, bytes: 8 });
  expect(applyTime(pace, START_MS - 5_000, limits)).toEqual(pace);
});

test('a throttled shard owes three tenths of a second, or what it owed if that is more', () => {
  expect(applyThrottle(at({ records: 100, bytes: 9 }), START_MS, limits)).toMatchObject({
    share: 1,
    records: -300,
    bytes: -15_000,
  });
  const deep = at({ records: -400, bytes: -20_000 });
  expect(applyThrottle(deep, START_MS, limits)).toMatchObject({ records: -400, bytes: -20_000 });
});

test('a share falls to a hundredth and no further, and the moment of its fall is kept', () => {
  const low = applyThrottle(at({ share: 0.011 }), START_MS + 1_000, limits);
  expect(low).toMatchObject({ share: 0.01, fellMs: START_MS + 1_000 });
  expect(applyThrottle(low, START_MS + 9_000, limits).share).toBe(0.01);
});

test('what is sent is spent, records one by one and bytes as they are', () => {
  expect(applySpend(at({ records: 3, bytes: 5 }), 40)).toMatchObject({ records: 2, bytes: -35 });
});

test('the wait is the longer of both, in whole milliseconds, and none when one record may go', () => {
  const wait = (records: number, bytes: number, share = 1) =>
    waitMs(at({ records, bytes, share }), limits);
  expect(wait(1, 1)).toBe(0);
  expect(wait(1, 0)).toBe(1);
  expect(wait(1, 0.5)).toBe(0);
  expect(wait(0.5, 1)).toBe(1);
  expect(wait(-9, 1)).toBe(10);
  expect(wait(-9, 1, 0.5)).toBe(20);
  expect(wait(1, -4_999)).toBe(100);
  expect(wait(-9, -4_999)).toBe(100);
  expect(wait(1, -4_999, 0.25)).toBe(400);
});

test('the limits are those of a shard of Kinesis', () => {
  expect(SHARD_LIMITS).toEqual({ recordsPerSec: 1_000, bytesPerSec: 1_048_576 });
});
