/** What was measured of the metrics that somebody watches, summed up by the minute. */
import type { Clock } from '#local/contracts';
import { metricKey } from './measurement.ts';
import type { Measure, Metric } from './measurement.ts';

/** Of all values in a span of time; there is at least one. */
export interface Aggregate {
  readonly count: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
}

export interface Span {
  readonly fromMs: number;
  /** Not of the span itself. */
  readonly toMs: number;
}

/**
 * Memory is bounded: a metric that nobody watches is not kept, one that is watched no longer than
 * asked for, however much is measured.
 */
export interface MetricStore {
  /** Keep this metric for so long from now on; the longest that was asked for counts. */
  watch(metric: Metric, keepMs: number): void;
  /** Keep a number, by the clock at its arrival. */
  readonly measure: Measure;
  /** Over whole minutes; undefined when nothing was measured in them. */
  read(metric: Metric, span: Span): Aggregate | undefined;
  /** Minutes that are kept, of all metrics. */
  size(): number;
}

export const MINUTE_MS = 60_000;

interface Watched {
  keepMs: number;
  /** By the minute's first millisecond, oldest first. */
  readonly minutes: Map<number, Aggregate>;
}

export function createMetricStore(clock: Pick<Clock, 'nowMs'>): MetricStore {
  const watched = new Map<string, Watched>();
  return {
    watch(metric, keepMs) {
      const key = metricKey(metric);
      const known = watched.get(key);
      if (known === undefined) watched.set(key, { keepMs, minutes: new Map() });
      else known.keepMs = Math.max(known.keepMs, keepMs);
    },
    measure(measurement) {
      const { keepMs, minutes } = watched.get(metricKey(measurement)) ?? {};
      if (minutes === undefined || keepMs === undefined) return;
      const minuteMs = Math.floor(clock.nowMs() / MINUTE_MS) * MINUTE_MS;
      const { value } = measurement;
      const one = { count: 1, sum: value, min: value, max: value };
      const before = minutes.get(minuteMs);
      minutes.set(minuteMs, before === undefined ? one : merged(before, one));
      if (before !== undefined) return;
      for (const old of minutes.keys()) if (old < minuteMs - keepMs) minutes.delete(old);
    },
    read(metric, { fromMs, toMs }) {
      let whole: Aggregate | undefined;
      for (const [minuteMs, one] of watched.get(metricKey(metric))?.minutes ?? []) {
        if (minuteMs < fromMs || minuteMs >= toMs) continue;
        whole = whole === undefined ? one : merged(whole, one);
      }
      return whole;
    },
    size: () => [...watched.values()].reduce((sum, { minutes }) => sum + minutes.size, 0),
  };
}

function merged(a: Aggregate, b: Aggregate): Aggregate {
  return {
    count: a.count + b.count,
    sum: a.sum + b.sum,
    min: Math.min(a.min, b.min),
    max: Math.max(a.max, b.max),
  };
}
