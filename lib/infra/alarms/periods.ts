/** Spans of time as CloudWatch takes them. */

export const MINUTE_SEC = 60;

/** @source CloudWatch API 2010-08-01, PutMetricAlarm: a multiple of 60; a day holds at most one. */
const PERIOD_SEC_MAX = 86_400;

/** The period that holds `spanSec`, or a day. */
export function periodOf(spanSec: number): number {
  return Math.min(inPeriods(spanSec, MINUTE_SEC) * MINUTE_SEC, PERIOD_SEC_MAX);
}

/** How many periods hold `spanSec`. */
export function inPeriods(spanSec: number, periodSec: number): number {
  return Math.ceil(spanSec / periodSec);
}
