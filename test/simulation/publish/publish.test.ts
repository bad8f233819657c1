/** A smoke share of `npm run sim:publish`. */
import { expect, test } from 'vitest';
import { reachedBy } from '#test/simulation/smoke';
import { runSchedule } from './schedule.ts';

const SCHEDULES = 600;

test('under random faults, limits and reshards the laws of publishing hold', async () => {
  expect(await reachedBy(runSchedule, SCHEDULES)).toEqual(
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
