/** `npm run sim:publish`: the laws of publishing over very many random schedules. */
import { runSchedules } from '#test/simulation/run-schedules';
import { runSchedule } from './schedule.ts';

await runSchedules({
  script: 'sim:publish',
  about: 'the laws of publishing over random faults, limits and reshards',
  runSchedule,
});
