import { expect, test } from 'vitest';
import type { Clock } from '#local/contracts';
import { laneOfKey } from '#local/lambda/mapping/lane-of-key';
import { pauses } from '#local/lambda/mapping/pause';
import { settle } from './mapping-bench.ts';

function stillClock() {
  const timers = new Map<() => void, number>();
  const clock: Clock = {
    nowMs: () => 0,
    setTimer(delayMs, fire) {
      timers.set(fire, delayMs);
      return () => void timers.delete(fire);
    },
  };
  return { clock, timers };
}

async function isDone(promise: Promise<void>): Promise<boolean> {
  let done = false;
  void promise.then(() => (done = true));
  await settle();
  return done;
}

test('a wake ends the waits for it and leaves sleepers asleep', async () => {
  const { clock, timers } = stillClock();
  const { untilWoken, sleep, wake } = pauses(clock);
  const [woken, timed, asleep] = [untilWoken(), untilWoken(30), sleep(20)];
  expect([...timers.values()]).toEqual([30, 20]);
  wake();
  expect(await Promise.all([woken, timed, asleep].map(isDone))).toEqual([true, true, false]);
  expect([...timers.values()]).toEqual([20]);
});

test('a timer ends one wait', async () => {
  const { clock, timers } = stillClock();
  const { untilWoken } = pauses(clock);
  const [timed, other] = [untilWoken(30), untilWoken()];
  [...timers.keys()][0]!();
  expect(await Promise.all([timed, other].map(isDone))).toEqual([true, false]);
});

test('cutting short ends all waits, now and later, and leaves no timer', async () => {
  const { clock, timers } = stillClock();
  const { untilWoken, sleep, cutShort } = pauses(clock);
  const waiting = [untilWoken(), sleep(20)];
  cutShort();
  waiting.push(untilWoken(), sleep(40), sleep(0));
  expect(await Promise.all(waiting.map(isDone))).toEqual([true, true, true, true, true]);
  expect(timers.size).toBe(0);
});

test('a key keeps its lane, and keys spread over all lanes', () => {
  const keys = Array.from({ length: 200 }, (_, i) => `order-${i}`);
  const lanes = keys.map((key) => laneOfKey(key, 7));
  expect(keys.map((key) => laneOfKey(key, 7))).toEqual(lanes);
  expect([...new Set(lanes)].toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(laneOfKey('order-1', 1)).toBe(0);
});
