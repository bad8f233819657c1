/** Where a reader begins, as a person says it. */
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

/** Longer than any span's or year's digits. Kinesis writes 56. */
const SEQUENCE_NUMBER = /^\d{20,128}$/;

/**
 * Read `oldest` (`trim-horizon`), `now` (`latest`), a span such as `15m`, an ISO 8601 time, or a
 * sequence number, whose record is the first.
 *
 * @throws {UsageError} on anything else.
 */
export function parseReadFrom(text: string, nowMs: number): ReadFrom {
  const place = PLACES[text.toLowerCase()];
  if (place !== undefined) return place;
  if (SEQUENCE_NUMBER.test(text)) return { kind: 'from', sequenceNumber: text };
  const timestampMs = momentOf(text, nowMs);
  if (timestampMs !== undefined) return { kind: 'at', timestampMs };
  throw new UsageError(
    "--from takes 'oldest', 'now', a span such as 15m, an ISO 8601 time, or a sequence number, " +
      `not '${text}'.`,
  );
}

/** Read where a reader ends: a span, a time or a sequence number. @throws {UsageError} on anything else. */
export function parseUntil(
  text: string,
  nowMs: number,
): Extract<ReadFrom, { kind: 'at' }> | { kind: 'from'; sequenceNumber: string } {
  if (SEQUENCE_NUMBER.test(text)) return { kind: 'from', sequenceNumber: text };
  const timestampMs = momentOf(text, nowMs);
  if (timestampMs !== undefined) return { kind: 'at', timestampMs };
  throw new UsageError(
    `--to takes a span such as 15m, an ISO 8601 time, or a sequence number, not '${text}'.`,
  );
}

/** Read a span such as `10m`, or an ISO 8601 time. @throws {UsageError} on anything else. */
export function parseSince(text: string, nowMs: number, option = '--since'): number {
  const momentMs = momentOf(text, nowMs);
  if (momentMs !== undefined) return momentMs;
  throw new UsageError(`${option} takes a span such as 10m, or an ISO 8601 time, not '${text}'.`);
}

/** Read a span such as `10m`, in ms. @throws {UsageError} on anything else. */
export function parseSpan(text: string, option: string): number {
  const span = SPAN.exec(text);
  if (span !== null) return Number(span[1]) * UNIT_MS[span[2] as keyof typeof UNIT_MS];
  throw new UsageError(`${option} takes a span such as 30s, 10m or 2h, not '${text}'.`);
}

function momentOf(text: string, nowMs: number): number | undefined {
  const span = SPAN.exec(text);
  if (span !== null) return nowMs - Number(span[1]) * UNIT_MS[span[2] as keyof typeof UNIT_MS];
  const ms = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}
