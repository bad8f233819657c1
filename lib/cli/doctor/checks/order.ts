/** The order of records by the time that the source filters by. */
import type { Check } from '#cli/doctor/finding';
import type { Timestamp } from '#core/record/timestamp';
import { isoText } from '#core/record/timestamp';
import { tickOf } from '#core/source/bound';
import { areByPlace } from './page-numbers.ts';

export const checkOrder: Check = ({ options: { source }, records, walk: { pages } }) => {
  const { incremental, pagination } = source;
  if (incremental?.ordered !== true) return [];
  // Records that come again fall, whatever their order.
  if (pagination.kind === 'page' && areByPlace(pages)) return [];
  const ticks = records.flatMap(({ time }) => (time ? tickOf(time, incremental) : []));
  const pairs = ticks.slice(1).map((tick, at) => ({ before: ticks[at] as Timestamp, tick }));
  const falls = pairs.filter(({ before, tick }) => tick < before).length;
  if (falls === 0) return [];
  const found = pairs.every(({ before, tick }) => tick <= before)
    ? 'fall'
    : `rise and fall (${falls} times)`;
  return [
    {
      severity: 'error',
      check: 'not-in-order',
      field: 'source.incremental.ordered',
      sentence: `Times at \`${incremental.path.join('.')}\` ${found}, where they are declared to rise: sort by it in source.query, or set false.`,
    },
  ];
};

/** More records of one time than a page has: only page tokens lead through them. */
export const checkTies: Check = ({ options: { source }, records, walk: { pages } }) => {
  const { incremental } = source;
  if (incremental === undefined || pages.length < 2) return [];
  const ties = new Map<Timestamp, number>();
  for (const { time } of records) {
    if (time === undefined) continue;
    const tick = tickOf(time, incremental);
    ties.set(tick, (ties.get(tick) ?? 0) + 1);
  }
  const pageLength = Math.max(...pages.map((page) => page.records.length));
  const [most] = [...ties].sort(([, one], [, other]) => other - one);
  if (most === undefined || most[1] <= pageLength) return [];
  return [
    {
      severity: 'warning',
      check: 'ties',
      field: 'source.pageSize.value',
      sentence: `${most[1]} records have the time ${isoText(most[0])}, and a page has ${pageLength}: only page tokens lead through them, so a run whose token expires makes no progress.`,
    },
  ];
};
