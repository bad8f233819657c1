import type { Timestamp } from './timestamp.ts';

/** Of each part: a lease epoch and a counter of ten digits outlast any table. */
const ZEROS = '0'.repeat(10);

export interface Seen {
  readonly epoch: number;
  readonly counter: number;
  /** Of a backfill, whose epochs are its own: when the record changed, as its source says. */
  readonly changedAt?: Timestamp | undefined;
}

/**
 * Say when a poller saw a record, sortable as text: lease epoch, then counter within the lease. Live
 * epochs begin with 1; what a backfill saw stands under 0, before all of them. There the record's own
 * time comes first: history may be read again, in parts, and what changed later stays later.
 */
export function observedText({ epoch, counter, changedAt }: Seen): string {
  const seen = `${tenDigits(epoch)}-${tenDigits(counter)}`;
  return changedAt === undefined ? seen : `${ZEROS}-${changedAt}-${seen}`;
}

/** @example tenDigits(7); // '0000000007' */
export function tenDigits(count: number): string {
  const digits = String(count);
  return ZEROS.slice(digits.length) + digits;
}
