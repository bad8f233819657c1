/** Decides what becomes of a piece of a batch after an attempt. */
import type { Verdict } from './judge-answer.ts';

export interface Piece<T> {
  readonly records: readonly T[];
  /** Failed attempts that spent a retry. */
  readonly failures: number;
  /** Attempts in a row without progress, for the backoff; throttles too. */
  readonly stalls: number;
  /** Times the function was run with these records among others. */
  readonly invokes: number;
  /** To be delivered once more when it is finished: a fault that was asked for. */
  readonly again?: boolean;
}

export type Next<T> =
  | { readonly kind: 'done' }
  /** Records before the piece's are finished; it is tried again, after a pause when it stalled. */
  | { readonly kind: 'retry'; readonly piece: Piece<T> }
  | { readonly kind: 'split'; readonly pieces: readonly Piece<T>[] }
  | { readonly kind: 'give-up'; readonly records: readonly T[] };

export interface RetryRules {
  /** Undefined is for ever. */
  readonly retryAttemptsMax: number | undefined;
  readonly bisects: boolean;
}

/**
 * Apply the mapping's rules: a split spends no retry, a throttle neither.
 *
 * @source Lambda developer guide, "Retain discarded batch records for a Kinesis …", 2026-10.
 */
export function decideNext<T>(piece: Piece<T>, verdict: Verdict, rules: RetryRules): Next<T> {
  const { records, failures, stalls, again = false } = piece;
  const more = again ? { again } : {};
  const invokes = piece.invokes + (verdict.kind === 'throttled' ? 0 : 1);
  switch (verdict.kind) {
    case 'finished':
      return again
        ? { kind: 'retry', piece: { records, failures, stalls: 0, invokes } }
        : { kind: 'done' };
    case 'throttled':
      return { kind: 'retry', piece: { ...piece, stalls: stalls + 1 } };
    case 'partial': {
      const rest = records.slice(verdict.finished);
      if (rules.bisects) {
        return { kind: 'retry', piece: { records: rest, failures, stalls: 0, invokes, ...more } };
      }
      return spend({ records: rest, failures: failures + 1, stalls: 0, invokes, ...more }, rules);
    }
    case 'failed': {
      if (!rules.bisects || records.length === 1) {
        return spend(
          { records, failures: failures + 1, stalls: stalls + 1, invokes, ...more },
          rules,
        );
      }
      const middle = Math.ceil(records.length / 2);
      const half = (part: readonly T[]): Piece<T> => ({
        records: part,
        failures,
        stalls: 0,
        invokes,
        ...more,
      });
      return {
        kind: 'split',
        pieces: [half(records.slice(0, middle)), half(records.slice(middle))],
      };
    }
  }
}

function spend<T>(piece: Piece<T>, { retryAttemptsMax }: RetryRules): Next<T> {
  return piece.failures > (retryAttemptsMax ?? Infinity)
    ? { kind: 'give-up', records: piece.records }
    : { kind: 'retry', piece };
}
