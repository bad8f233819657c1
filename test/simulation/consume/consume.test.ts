/** A smoke share of `npm run sim:consume`. */
import { expect, test } from 'vitest';
import { runSchedule } from './schedule.ts';
import { WANTED } from './wanted.ts';

const SCHEDULES = 100;

test('under random faults, deploys, replays and reshards the laws of consuming hold', async () => {
  const reached = new Set<string>();
  for (let seed = 1; seed <= SCHEDULES; seed++) {
    try {
      const { reached: now } = await runSchedule(seed);
      for (const what of now.keys()) reached.add(what);
    } catch (cause) {
      throw new Error(`seed ${seed}`, { cause });
    }
  }
  expect([...reached]).toEqual(expect.arrayContaining([...WANTED]));
});
