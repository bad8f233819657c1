/** A smoke share of `npm run sim:consume`. */
import { expect, test } from 'vitest';
import { reachedBy } from '#test/simulation/smoke';
import { runSchedule } from './schedule.ts';
import { WANTED } from './wanted.ts';

const SCHEDULES = 100;

test('under random faults, deploys, replays and reshards the laws of consuming hold', async () => {
  expect(await reachedBy(runSchedule, SCHEDULES)).toEqual(expect.arrayContaining([...WANTED]));
});
