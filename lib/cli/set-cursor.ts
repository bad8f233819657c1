/** The cursor that polls again from a time. Pure. */
import { byToken } from '#config/by-token';
import type { PipelineSettings } from '#config/pipeline-settings';
import { FRESH_CURSOR } from '#core/source/cursor';
import type { Cursor } from '#core/source/cursor';
import { parseTimestamp, timestampMs } from '#core/record/timestamp';
import type { Timestamp } from '#core/record/timestamp';
import { CliError, UsageError } from './cli-error.ts';

/** Read what `--at` says. @throws {UsageError} when it is no moment, or one to come. */
export function parseAt(text: string, nowMs: number): Timestamp {
  const at = parseTimestamp(text, 'iso');
  if (at === undefined) {
    throw new UsageError(
      `--at takes an ISO 8601 time with its offset, such as 2031-04-16T09:00:00Z, not '${text}'.`,
    );
  }
  if (timestampMs(at) > nowMs) throw new UsageError(`--at is a time to come: ${text}.`);
  return at;
}

/** @throws {CliError} where no time says what is polled next. */
export function assertAskedByTime({
  name,
  source,
}: Pick<PipelineSettings, 'name' | 'source'>): void {
  if (byToken(source) === undefined) return;
  throw new CliError(
    `The source of ${name} is asked by token, not by time; \`penstock cursor reset ${name}\` lets it be read anew.`,
  );
}

/**
 * The cursor whose next run begins at `at`. What is behind it is never polled.
 *
 * @throws {CliError} when that is more than what was polled already, and nobody said it may be.
 */
export function cursorAt(
  before: Cursor,
  at: Timestamp,
  { allowSkip }: { readonly allowSkip: boolean },
): Cursor {
  if (before.snapshot !== undefined) {
    throw new CliError(
      'Every poll reads the whole source, so there is no time to go back to; ' +
        '`penstock cursor reset` has all of it published again.',
    );
  }
  const skipped = skippedBy(before, at);
  if (!allowSkip && skipped !== undefined) {
    throw new CliError(
      `What changed at the source ${skipped} would never be polled; --allow-skip says that it may be so.`,
    );
  }
  return { ...FRESH_CURSOR, boundary: at };
}

/**
 * The cursor of a source that is to be published again from its beginning; undefined is one never read.
 * Where keys are noted, they stay known: what has vanished is still to be deleted.
 */
export function cursorAnew({ snapshot }: Cursor): Cursor | undefined {
  if (snapshot === undefined) return undefined;
  const { ledger, parts } = snapshot;
  const known = { ...(ledger && { ledger }), ...(parts && { parts }) };
  return { ...FRESH_CURSOR, snapshot: { ...known, isStale: true } };
}

/** What is never polled once a cursor begins at `at`, in words; undefined when that is nothing. */
export function skippedBy({ boundary }: Cursor, at: Timestamp): string | undefined {
  if (boundary === null) return `before ${at}`;
  return at > boundary ? `between ${boundary} and ${at}` : undefined;
}
