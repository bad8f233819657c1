/** Where a reader begins, as a person says it. */
import { UsageError } from './cli-error.ts';
import type { ReadFrom } from './stream-reader.ts';

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/**
 * Read `oldest`, `now`, a span such as `15m`, or an ISO 8601 time.
 *
 * @throws {UsageError} on anything else.
 */
export function parseReadFrom(text: string, nowMs: number): ReadFrom {
  if (text === 'oldest') return { kind: 'trim-horizon' };
  if (text === 'now') return { kind: 'latest' };
  const span = /^(\d{1,6})([smhd])$/.exec(text);
  if (span !== null) {
    const unitMs = UNIT_MS[span[2] as keyof typeof UNIT_MS];
    return { kind: 'at', timestampMs: nowMs - Number(span[1]) * unitMs };
  }
  const timestampMs = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(timestampMs)) return { kind: 'at', timestampMs };
  throw new UsageError(
    `--from takes 'oldest', 'now', a span such as 15m, or an ISO 8601 time, not '${text}'.`,
  );
}
