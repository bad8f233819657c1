/** `npm run sim:source`: sources of every kind, polled while they change, over very many random schedules. */
import { runSchedules } from '#test/simulation/run-schedules';
import { runSchedule } from './schedule.ts';
import { WANTED } from './wanted.ts';

await runSchedules({
  script: 'sim:source',
  about: 'every kind of source, polled while it changes and fails',
  schedules: 10_000,
  wanted: WANTED,
  runSchedule,
});
