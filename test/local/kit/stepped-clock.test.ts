import fc from 'fast-check';
import { expect, test } from 'vitest';
import { steppedClock } from '#local/kit/stepped-clock';

test('timers fire when they are due, in order, each at its own time', () => {
  const delays = fc.array(fc.integer({ min: 0, max: 500 }), { maxLength: 20 });
  return fc.assert(
    fc.asyncProperty(delays, fc.nat(600), async (delays, stepMs) => {
      const clock = steppedClock(70);
      const fired: number[] = [];
      for (const delayMs of delays) clock.setTimer(delayMs, () => fired.push(clock.nowMs() - 70));
      await clock.step(stepMs);
      expect(fired).toEqual(delays.filter((ms) => ms <= stepMs).sort((a, b) => a - b));
      expect(clock.nowMs()).toBe(70 + stepMs);
    }),
    { numRuns: 40 },
  );
});

test('what a timer sets off has run before the next fires', async () => {
  const clock = steppedClock(0);
  const order: string[] = [];
  const later = async () => {
    for (let turn = 0; turn < 30; turn++) await Promise.resolve();
    order.push('done');
  };
  clock.setTimer(5, () => void later());
  clock.setTimer(6, () => order.push('next'));
  await clock.step(10);
  expect(order).toEqual(['done', 'next']);
});

test('a timer that a timer sets fires in the same step, if it is due', async () => {
  const clock = steppedClock(0);
  const at: number[] = [];
  const again = (): void => {
    at.push(clock.nowMs());
    clock.setTimer(40, again);
  };
  again();
  await clock.step(100);
  expect(at).toEqual([0, 40, 80]);
});

test('a timer that was cancelled never fires', async () => {
  const clock = steppedClock(0);
  let fired = false;
  clock.setTimer(1, () => (fired = true))();
  await clock.step(5);
  expect(fired).toBe(false);
});

test('a step waits for the work that is watched', async () => {
  const clock = steppedClock(0);
  let isBusy = true;
  clock.watch(() => isBusy);
  let ended = false;
  const step = clock.step(1).then(() => (ended = true));
  for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(ended).toBe(false);
  isBusy = false;
  await step;
  expect(ended).toBe(true);
});
