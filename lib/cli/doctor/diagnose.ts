/** Everything that the checks find in what was observed, the worst first. */
import { checkEmpty, checkRecordsPath } from './checks/answer-shape.ts';
import { checkBoundary } from './checks/boundary.ts';
import { checkAhead, checkClock } from './checks/clock.ts';
import { checkKeys } from './checks/keys.ts';
import { checkNumbers } from './checks/numbers.ts';
import { checkOrder, checkTies } from './checks/order.ts';
import { checkPageSize } from './checks/page-size.ts';
import { checkRateLimit } from './checks/rate-limit.ts';
import { checkReachable } from './checks/reachable.ts';
import { checkRefusals, checkTables } from './checks/refusals.ts';
import { checkByToken, checkTimes } from './checks/times.ts';
import { checkTokens } from './checks/tokens.ts';
import { SEVERITIES } from './finding.ts';
import type { Check, Finding, Observed } from './finding.ts';

const CHECKS: readonly Check[] = [
  checkReachable,
  checkClock,
  checkRecordsPath,
  checkEmpty,
  checkTokens,
  checkPageSize,
  checkRefusals,
  checkKeys,
  checkTimes,
  checkByToken,
  checkAhead,
  checkOrder,
  checkTies,
  checkBoundary,
  checkTables,
  checkNumbers,
  checkRateLimit,
];

export function diagnose(seen: Observed): readonly Finding[] {
  const findings = CHECKS.flatMap((check) => check(seen));
  return SEVERITIES.flatMap((severity) => findings.filter((one) => one.severity === severity));
}
