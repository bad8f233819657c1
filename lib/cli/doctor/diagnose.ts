/** Everything that the checks find in what was observed, the worst first. */
import { checkEmpty, checkRecordsPath } from './checks/answer-shape.ts';
import { checkBoundary } from './checks/boundary.ts';
import { checkAhead, checkClock } from './checks/clock.ts';
import { checkDeleted } from './checks/deleted.ts';
import { checkDeletesFeed } from './checks/deletes-feed.ts';
import { checkKeys } from './checks/keys.ts';
import { checkKeyset } from './checks/keyset.ts';
import { checkMap } from './checks/map.ts';
import { checkNumbers } from './checks/numbers.ts';
import { checkOrder, checkTies } from './checks/order.ts';
import { checkFirstPage, checkNumbersOfPages, checkPlaces } from './checks/page-numbers.ts';
import { checkPageSize } from './checks/page-size.ts';
import { checkPagesLeft } from './checks/pages-left.ts';
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
  checkPagesLeft,
  checkFirstPage,
  checkPlaces,
  checkNumbersOfPages,
  checkKeyset,
  checkPageSize,
  checkRefusals,
  checkMap,
  checkDeleted,
  checkDeletesFeed,
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
