/** What a cursor holds of a source that is read as a whole, time after time. */
import type { LedgerName } from './ledger.ts';
import { parseHttpDate } from './retry-after.ts';

/** What an answer says of its own content, word for word. */
export interface Validators {
  readonly etag?: string;
  readonly lastModified?: string;
}

/** Validators of a run's first answer, and what was asked for it. */
export interface KnownAnswer extends Validators {
  /** Stands for the request and for what is made of its rows. */
  readonly asked: string;
}

/** Of the latest snapshot that was read to its end, or of the keys of a source that is asked by token. */
export interface SnapshotStanding {
  /** Undefined while none held a row. */
  readonly ledger?: LedgerName;
  /** Undefined where the next snapshot is to be read whatever the source says. */
  readonly unless?: KnownAnswer;
  /** All rows are to be published again: an operator wants it so. */
  readonly isStale?: true;
  /** Of a source that is asked by token: what was published since the ledger was written. */
  readonly parts?: readonly PartRange[];
  /** There are more keys than a ledger may hold: none is noted until everything is read anew. */
  readonly isOver?: true;
}

/** Of a snapshot that is being read. */
export interface SnapshotSoFar {
  /** Where the rows of its pages so far were written down. */
  readonly parts: readonly PartRange[];
  readonly unless?: KnownAnswer;
}

/** Names of one epoch, from one number to another, both included. */
export interface PartRange {
  readonly epoch: number;
  readonly from: number;
  readonly to: number;
}

/** @example withPart([{ epoch: 3, from: 1, to: 4 }], { epoch: 3, number: 5 }); // one range, 1 to 5 */
export function withPart(
  parts: readonly PartRange[],
  { epoch, number }: LedgerName,
): readonly PartRange[] {
  const last = parts.at(-1);
  if (last?.epoch === epoch && last.to === number - 1) {
    return [...parts.slice(0, -1), { ...last, to: number }];
  }
  return [...parts, { epoch, from: number, to: number }];
}

export function partCount(parts: readonly PartRange[]): number {
  return parts.reduce((sum, { from, to }) => sum + to - from + 1, 0);
}

export function partNames(parts: readonly PartRange[]): readonly LedgerName[] {
  return parts.flatMap(({ epoch, from, to }) =>
    Array.from({ length: to - from + 1 }, (_, at) => ({ epoch, number: from + at })),
  );
}

/** A cursor is no place for a header that is a text of its own. */
const VALIDATOR_CHARACTERS_MAX = 1_024;

/**
 * Take what can be asked by out of an answer's headers; undefined when there is nothing. A date counts only
 * if the answer is a second younger, or more: what changes within one second has one date.
 *
 * @source RFC 9110, 8.8.2.2: when a Last-Modified can be trusted.
 */
export function validatorsOf(header: (name: string) => string | undefined): Validators | undefined {
  const etag = usable(header('etag'));
  const lastModified = usable(header('last-modified'));
  const ageMs = (parseHttpDate(header('date')) ?? 0) - (parseHttpDate(lastModified) ?? Infinity);
  const isOld = ageMs >= 1_000;
  if (etag === undefined && !isOld) return undefined;
  return {
    ...(etag === undefined ? {} : { etag }),
    ...(lastModified === undefined || !isOld ? {} : { lastModified }),
  };
}

function usable(value: string | undefined): string | undefined {
  return value === undefined || value === '' || value.length > VALIDATOR_CHARACTERS_MAX
    ? undefined
    : value;
}
