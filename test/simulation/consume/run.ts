/** `npm run sim:consume`: the laws of consuming over very many random schedules. */
import { runSchedules } from '#test/simulation/run-schedules';
import { runSchedule } from './schedule.ts';
import { WANTED } from './wanted.ts';

await runSchedules({
  script: 'sim:consume',
  about: 'the laws of consuming over random faults, deploys, replays and reshards',
  wanted: WANTED,
  runSchedule,
});
