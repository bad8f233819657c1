import type { Rules } from './rule.ts';

const GUIDE = 'scheduler/latest/UserGuide';
const api = (action: string) => `EventBridge Scheduler API 2021-06-30, ${action}`;

export const SCHEDULER_RULES = {
  rate: {
    rule: 'a rate ticks when it is created, and then every so often from there',
    limit: '1 minute at least; minutes, hours, days of 24 hours',
    source: `${GUIDE}/schedule-types`,
  },
  'rate-overlaps': {
    rule: 'a rate ticks by the clock, however long a run takes',
    source: `${GUIDE}/what-is-scheduler; lambda/latest/dg/with-eventbridge-scheduler`,
  },
  'cron-fields': {
    rule: 'a cron expression has six fields of lists, ranges, steps and names',
    source: `${GUIDE}/schedule-types`,
  },
  'cron-question-mark': {
    rule: 'exactly one of day-of-month and day-of-week is a question mark',
    source: `${GUIDE}/schedule-types`,
  },
  'cron-last': {
    rule: 'L is the last day of a month, or the last such weekday of it',
    source: `${GUIDE}/schedule-types`,
  },
  'cron-weekday': {
    rule: 'W is the weekday of the month that is nearest to a date, and LW the last one',
    source: `${GUIDE}/schedule-types`,
  },
  'cron-nth': {
    rule: '# is the so-manieth such weekday of a month',
    source: `${GUIDE}/schedule-types`,
  },
  'cron-years': {
    rule: 'years are from 1970 to 2199, and a far one is found',
    limit: '1970–2199',
    source: `${GUIDE}/schedule-types`,
  },
  'cron-oracle': {
    rule: 'the next tick is the one that is found by trying every minute',
    source: `${GUIDE}/schedule-types`,
  },
  at: {
    rule: 'at(…) ticks once, by the zone’s clock',
    source: `${GUIDE}/schedule-types`,
  },
  'at-past': {
    rule: 'at(…) of a moment that is past, or that clocks skip, never ticks',
    source: 'AWS says nothing of it',
    isOurChoice: true,
  },
  'at-kept': {
    rule: 'a schedule that has ticked for the last time stays',
    source: `${api('ActionAfterCompletion')}: NONE is its default`,
  },
  zone: {
    rule: 'cron(…) and at(…) are read by the clocks of their zone',
    source: `${GUIDE}/schedule-types, time zones`,
  },
  'zone-unknown': {
    rule: 'an unknown time zone is refused by name',
    source: api('ValidationException'),
  },
  'zone-spring': {
    rule: 'a minute that the clocks skip in spring has no tick',
    source: `${GUIDE}/schedule-types, daylight savings time`,
  },
  'zone-autumn': {
    rule: 'a minute that the clocks repeat in autumn has one tick',
    source: `${GUIDE}/schedule-types, daylight savings time`,
  },
  'zone-rate': {
    rule: 'a rate of days counts 24 hours, whatever clocks do',
    source: `${GUIDE}/schedule-types, daylight savings time`,
  },
  precision: {
    rule: 'a tick comes at the first moment of its minute',
    limit: 'AWS: within 60 s',
    source: `${GUIDE}/schedule-types says anywhere in the minute; the first is the same each time`,
    isOurChoice: true,
  },
  refused: {
    rule: 'an expression that is none is refused in a sentence',
    source: api('ValidationException'),
  },
  'start-date': {
    rule: 'nothing ticks before the start date, and a rate counts from it',
    source: api('CreateSchedule, StartDate'),
  },
  'end-date': { rule: 'nothing ticks after the end date', source: api('CreateSchedule, EndDate') },
  'flexible-window': {
    rule: 'a tick with a flexible window comes at the window’s beginning',
    limit: '1–1,440 minutes',
    source: `${GUIDE}/managing-schedule-flexible-time-windows says anywhere in it; the first is the same each time`,
    isOurChoice: true,
  },
  disabled: { rule: 'a disabled schedule never ticks', source: api('CreateSchedule, State') },
  input: {
    rule: 'the input’s context attributes are replaced',
    source: `${GUIDE}/managing-schedule-context-attributes`,
  },
  'input-size': {
    rule: 'an input is at most 256 KB',
    limit: '262,144 bytes',
    source: api('Target, Input'),
  },
  'input-none': {
    rule: 'a schedule without input says what ticked, and when',
    source: 'the templated target’s event, as it is seen; AWS does not document it',
    isOurChoice: true,
  },
  'retry-bounds': {
    rule: 'retries and age have bounds',
    limit: '0–185 retries, 60–86,400 s',
    source: api('RetryPolicy'),
  },
  'retry-not-waited': {
    rule: 'a tick whose function cannot be called is dropped at once, as after all its retries',
    source: 'AWS’s delays between them are not documented; nobody waits a day for a test',
    isOurChoice: true,
  },
  'dead-letter': {
    rule: 'a dropped tick goes to the dead-letter queue, with why in its attributes',
    source: `${GUIDE}/configuring-schedule-dlq`,
  },
  'dead-letter-undelivered': {
    rule: 'a dead letter that cannot be sent is counted, and costs no tick',
    source: `${GUIDE}/monitoring-cloudwatch, InvocationsFailedToBeSentToDeadLetterCount`,
  },
  'fault-twice': {
    rule: 'a fault delivers one tick twice, the same event both times',
    source: `${GUIDE}/what-is-scheduler: delivery is at least once`,
  },
  'fault-drop': {
    rule: 'a fault drops a tick, and the next one comes',
    source: `${GUIDE}/monitoring-cloudwatch, InvocationDroppedCount`,
  },
  tempo: {
    rule: 'with a tempo the next tick follows the end of the last run',
    source: 'nobody waits a minute for a demonstration',
    isOurChoice: true,
  },
  asleep: {
    rule: 'ticks that were due while the machine slept are not made up for',
    source: 'AWS does not sleep',
    isOurChoice: true,
  },
  far: {
    rule: 'a tick that is further away than a timer can hold still comes',
    source: `${GUIDE}/schedule-types`,
  },
  'api-described': {
    rule: 'schedules are described one by one and listed, as the client signs for the service',
    source: api('GetSchedule, ListSchedules'),
  },
  'api-updated': {
    rule: 'a schedule is replaced as a whole, and ticks by what it is now',
    source: api('UpdateSchedule'),
  },
  'api-deleted': { rule: 'a deleted schedule ticks no more', source: api('DeleteSchedule') },
  'api-refused': {
    rule: 'an unknown schedule is not found, and what is not served is refused by name',
    source: `${api('ResourceNotFoundException')}; schedules are made by templates here`,
    isOurChoice: true,
  },
} as const satisfies Rules;
