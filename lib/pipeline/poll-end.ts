/** What is kept of a poll's end, for those who ask later. */
import { failAgain } from '#core/source/failing';
import type { Failing } from '#core/source/failing';
import { isSuccess } from '#core/source/poll-event';
import type { PollEnd } from '#ports/poll-state';
import type { PollOutcome } from './poll-options.ts';

/** One sentence; the log holds all of it. */
const DETAIL_CHARS_MAX = 300;

interface Ending {
  /** How many the poll took over. */
  readonly pages: number;
  readonly atMs: number;
  /** What was known of failures before. */
  readonly failing: Failing | undefined;
  readonly everyMs: number | undefined;
  /** In [0, 1). */
  readonly roll: number;
}

export function pollEnd(outcome: PollOutcome, { pages, failing, ...now }: Ending): PollEnd {
  const { atMs } = now;
  const detail = detailOf(outcome);
  return {
    outcome: outcome.kind,
    atMs,
    succeeded: isSuccess({ outcome: outcome.kind, pages }),
    detail: detail === '' ? undefined : oneLine(detail),
    ...(outcome.kind === 'failed' ? { failing: failAgain(failing, now) } : {}),
  };
}

/** @returns one sentence; empty when there is nothing to add. */
export function detailOf(outcome: PollOutcome): string {
  return 'detail' in outcome ? outcome.detail : '';
}

export function failed(detail: string): Extract<PollOutcome, { kind: 'failed' }> {
  return { kind: 'failed', detail };
}

export function failureOf(error: unknown): Extract<PollOutcome, { kind: 'failed' }> {
  return failed(error instanceof Error ? error.message : String(error));
}

/** Names out of an answer may hold what moves a terminal's cursor. */
function oneLine(text: string): string {
  const line = text.replaceAll(/[\s\p{Cc}]+/gu, ' ');
  return line.length <= DETAIL_CHARS_MAX ? line : `${line.slice(0, DETAIL_CHARS_MAX - 1)}…`;
}
