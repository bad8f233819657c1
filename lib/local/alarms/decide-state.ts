/** Decides an alarm's state from its datapoints. */
import { COMPARISONS, evaluationRange } from './alarm-rule.ts';
import type { AlarmRule, AlarmState } from './alarm-rule.ts';

export interface Datapoint {
  /** The first moment of its period. */
  readonly atMs: number;
  /** Undefined: nothing was measured. */
  readonly value: number | undefined;
}

export interface Verdict {
  readonly state: AlarmState;
  /** Which datapoints there are, and how many of them crossed. */
  readonly reason: string;
}

type Decided = Pick<
  AlarmRule,
  | 'label'
  | 'periodSec'
  | 'evaluationPeriods'
  | 'datapointsToAlarm'
  | 'comparison'
  | 'threshold'
  | 'missingData'
>;

/**
 * Judge the evaluation range, oldest datapoint first.
 *
 * Real datapoints are preferred, even those from before the alarm's own periods; only where they
 * are too few does what is missing count.
 *
 * @source CloudWatch User Guide, "Configuring how CloudWatch alarms treat missing data", with the
 *   premature alarm state.
 */
export function decideState(
  range: readonly Datapoint[],
  rule: Decided,
  current: AlarmState,
): Verdict {
  const { evaluationPeriods, datapointsToAlarm, missingData } = rule;
  const real = range.filter(({ value }) => value !== undefined).slice(-evaluationPeriods);
  const crossing = real.filter((one) => isCrossing(one, rule)).length;
  const missing = evaluationPeriods - real.length;
  const filled = missingData === 'breaching' ? missing : 0;
  const reason = reasonOf(real, { crossing, missing, filled }, rule);
  if (missing > 0 && (missingData === 'missing' || missingData === 'ignore')) {
    return { state: stateOfFew(range, crossing, rule, current), reason };
  }
  return { state: crossing + filled >= datapointsToAlarm ? 'ALARM' : 'OK', reason };
}

/** Too few datapoints, and nothing stands for those that are missing. */
function stateOfFew(
  range: readonly Datapoint[],
  crossing: number,
  rule: Decided,
  current: AlarmState,
): AlarmState {
  const { datapointsToAlarm, missingData } = rule;
  const oldest = range.findIndex(({ value }) => value !== undefined);
  if (oldest < 0) return missingData === 'ignore' ? current : 'INSUFFICIENT_DATA';
  if (crossing >= datapointsToAlarm) return 'ALARM';
  const isAllCrossing = range.every((one) => one.value === undefined || isCrossing(one, rule));
  if (!isAllCrossing) return 'OK';
  if (missingData === 'ignore') return current;
  // The next datapoint may yet be well; one that is as old as an alarm needs has waited enough.
  return range.length - oldest >= datapointsToAlarm ? 'ALARM' : 'OK';
}

function isCrossing({ value }: Datapoint, { comparison, threshold }: Decided): boolean {
  return value !== undefined && COMPARISONS[comparison].crosses(value, threshold);
}

function reasonOf(
  real: readonly Datapoint[],
  { crossing, missing, filled }: { crossing: number; missing: number; filled: number },
  rule: Decided,
): string {
  const { label, comparison, threshold, evaluationPeriods, periodSec } = rule;
  const limit = `${label} ${COMPARISONS[comparison].sign} ${threshold}`;
  const periods = `periods of ${periodSec} s`;
  if (real.length === 0) {
    return `${limit}: no datapoint in the last ${evaluationRange(rule)} ${periods}`;
  }
  const points = real.map(({ atMs, value }) => `${rounded(value ?? 0)} at ${timeOf(atMs)}`);
  const lacking = missing === 0 ? [] : [`${missing} missing${filled > 0 ? ', which counts' : ''}`];
  const said = [...points, ...lacking].join('; ');
  return `${limit} in ${crossing + filled} of ${evaluationPeriods} ${periods}: ${said}`;
}

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;

/** `21:55Z` */
const timeOf = (atMs: number): string => `${new Date(atMs).toISOString().slice(11, 16)}Z`;
