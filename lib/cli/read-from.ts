/** Where a reader begins, as a person says it. */
import { parseTimestamp, timestampMs } from '#core/record/timestamp';
import { UsageError } from './cli-error.ts';
import type { ReadFrom } from './stream-reader.ts';

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

const PLACES: Readonly<Record<string, ReadFrom>> = {
  oldest: { kind: 'trim-horizon' },
  'trim-horizon': { kind: 'trim-horizon' },
  trim_horizon: { kind: 'trim-horizon' },
  now: { kind: 'latest' },
  latest: { kind: 'latest' },
};

const SPAN = /^(\d{1,6})([smhd])$/;

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** What shows it right. */
const TIMES = 'a date such as 2031-06-12, or a time with its zone such as 2031-06-12T16:00:00Z';

/** Longer than any span's or year's digits. Kinesis writes 56. */
const SEQUENCE_NUMBER = /^\d{20,128}$/;

/**
 * Read `oldest` (`trim-horizon`), `now` (`latest`), a span such as `15m`, a date, a time with its
 * zone, or a sequence number, whose record is the first.
 *
 * @throws {UsageError} on anything else.
 */
export function parseReadFrom(text: string, nowMs: number): ReadFrom {
  const place = PLACES[text.toLowerCase()];
  if (place !== undefined) return place;
  if (SEQUENCE_NUMBER.test(text)) return { kind: 'from', sequenceNumber: text };
  const momentMs = momentOf(text, nowMs);
  if (momentMs !== undefined) return { kind: 'at', timestampMs: momentMs };
  throw new UsageError(
    `--from takes 'oldest', 'now', a sequence number, a span such as 15m, ${TIMES}, not '${text}'.`,
  );
}

/** Read where a reader ends: a span, a time or a sequence number. @throws {UsageError} on anything else. */
export function parseUntil(
  text: string,
  nowMs: number,
): Extract<ReadFrom, { kind: 'at' }> | { kind: 'from'; sequenceNumber: string } {
  if (SEQUENCE_NUMBER.test(text)) return { kind: 'from', sequenceNumber: text };
  const momentMs = momentOf(text, nowMs);
  if (momentMs !== undefined) return { kind: 'at', timestampMs: momentMs };
  throw new UsageError(
    `--to takes a sequence number, a span such as 15m, ${TIMES}, not '${text}'.`,
  );
}

/** Read a span such as `10m`, a date, or a time with its zone. @throws {UsageError} on anything else. */
export function parseSince(text: string, nowMs: number, option = '--since'): number {
  const momentMs = momentOf(text, nowMs);
  if (momentMs !== undefined) return momentMs;
  throw new UsageError(`${option} takes a span such as 10m, ${TIMES}, not '${text}'.`);
}

/** Read a span such as `10m`, in ms. @throws {UsageError} on anything else. */
export function parseSpan(text: string, option: string): number {
  const span = SPAN.exec(text);
  if (span !== null) return Number(span[1]) * UNIT_MS[span[2] as keyof typeof UNIT_MS];
  throw new UsageError(`${option} takes a span such as 30s, 10m or 2h, not '${text}'.`);
}

/** A date is midnight UTC. A time without a zone is none: whoever reads it elsewhere means another. */
function momentOf(text: string, nowMs: number): number | undefined {
  const span = SPAN.exec(text);
  if (span !== null) {
    const atMs = nowMs - Number(span[1]) * UNIT_MS[span[2] as keyof typeof UNIT_MS];
    // Nobody means what lies before 1970 by a count of days.
    return atMs < 0 ? undefined : atMs;
  }
  const time = parseTimestamp(DATE.test(text) ? `${text}T00:00:00Z` : text, 'iso');
  return time && timestampMs(time);
}
