/** A smoke share of `npm run sim:publish`. */
import { expect, test } from 'vitest';
import { runSchedule } from './schedule.ts';

const SCHEDULES = 600;

test('under random faults, limits and reshards the laws of publishing hold', async () => {
  const reached = new Set<string>();
  for (let seed = 1; seed <= SCHEDULES; seed++) {
    try {
      const { reached: now } = await runSchedule(seed);
      for (const what of now.keys()) reached.add(what);
    } catch (cause) {
      throw new Error(`seed ${seed}`, { cause });
    }
  }
  expect([...reached]).toEqual(
    expect.arrayContaining([
      'end published',
      'end aborted',
      'end out-of-time',
      'end lease-lost',
      'end failed',
      'end stream-unavailable',
      'split',
      'merge',
      'shardFull',
      'ShardPaced',
      'ShardsUnknown',
      'flight full',
      'faultless',
    ]),
  );
});
