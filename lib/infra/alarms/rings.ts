/** How soon alarms ring, as far as several do alike. */
import { MINUTE_SEC } from './periods.ts';

export const FIVE_MINUTES_SEC = 300;

/** At the first of what they count. */
export const AT_ONCE = {
  periodSec: FIVE_MINUTES_SEC,
  evaluationPeriods: 1,
  datapointsToAlarm: 1,
  comparison: 'at-least',
  threshold: 1,
  missingData: 'notBreaching',
} as const;

/** In three minutes of five: what comes and goes within two is no trouble. */
export const IN_MINUTES = {
  ...AT_ONCE,
  periodSec: MINUTE_SEC,
  evaluationPeriods: 5,
  datapointsToAlarm: 3,
} as const;
