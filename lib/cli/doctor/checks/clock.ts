/** The source's clock against this machine's. */
import { share } from '#cli/doctor/finding';
import type { Check } from '#cli/doctor/finding';
import { span } from '#cli/render/text';
import { timestampMs } from '#core/record/timestamp';
import { parseHttpDate } from '#core/source/retry-after';

/** A `Date` has whole seconds, and a request takes its time. */
const SKEW_MS_MAX = 10_000;

/** Records are dated by another machine than the one that answers. */
const AHEAD_MS_MAX = 60_000;

const HORIZON = 'source.incremental.horizonSec';

export const checkClock: Check = ({ exchanges }) => {
  const answered = exchanges.filter((exchange) => exchange.kind === 'answered');
  const skewsMs = answered.flatMap(({ headers, sentAtMs, answeredAtMs }) => {
    const dateMs = parseHttpDate(headers.get('date') ?? undefined);
    return dateMs === undefined ? [] : [dateMs + 500 - (sentAtMs + answeredAtMs) / 2];
  });
  if (answered.length === 0) return [];
  const skewMs = skewsMs.reduce(
    (least, one) => (Math.abs(one) < Math.abs(least) ? one : least),
    Infinity,
  );
  if (skewMs === Infinity) {
    return [
      {
        severity: 'warning',
        check: 'no-date',
        field: HORIZON,
        sentence:
          'No answer names its `Date`: boundaries go by the poller’s clock, so the horizon must be longer than the two clocks differ.',
      },
    ];
  }
  if (Math.abs(skewMs) <= SKEW_MS_MAX) return [];
  const side = skewMs > 0 ? 'ahead of' : 'behind';
  return [
    {
      severity: 'warning',
      check: 'clock-skew',
      field: null,
      sentence: `The source’s clock is ${span(Math.abs(skewMs))} ${side} this machine’s: boundaries go by the source’s, ages and alarms by ours.`,
    },
  ];
};

/** A time that is still to come cannot be a boundary. */
export const checkAhead: Check = ({ records, walk: { pages } }) => {
  const aheadMs = records.flatMap(({ time, page }) => {
    const sourceMs = pages[page]?.startedAtMs;
    if (time === undefined || sourceMs === undefined) return [];
    const ms = timestampMs(time) - sourceMs;
    return ms > AHEAD_MS_MAX ? [ms] : [];
  });
  if (aheadMs.length === 0) return [];
  const furthest = span(aheadMs.reduce((most, ms) => Math.max(most, ms)));
  return [
    {
      severity: 'warning',
      check: 'time-ahead',
      field: 'source.incremental.field',
      sentence: `${share(aheadMs.length, records.length)} are dated up to ${furthest} after the source’s own clock: a local time may be written as UTC.`,
    },
  ];
};
