import type { StoredRecord } from '#core/record/records';
import type { RefusalReason } from '#core/record/refusal';

/** A record that can never succeed, with everything needed to judge it and to send it again. */
export interface Refused {
  readonly pipeline: string;
  /** `poll`, or the consumer's name. */
  readonly stage: string;
  readonly reason: RefusalReason;
  /** One sentence: what is wrong, and where. */
  readonly detail: string;
  /** Names the record within its stage; the same record refused twice rests in one place. */
  readonly place: string;
  /** The bytes as they came. */
  readonly payload: Uint8Array;
  /** Where a consumer's record came from, so that it can be sent to it again. */
  readonly origin?: Omit<StoredRecord, 'data'>;
  readonly atMs: number;
}

/** `given-up`: nobody refused it; it never ended, however often it was tried. */
export type SetAside = Omit<Refused, 'reason'> & { readonly reason: RefusalReason | 'given-up' };

export interface Quarantine {
  /** Keeps the record; returns only once it is stored. @throws a retryable error otherwise. */
  put(one: SetAside): Promise<void>;
}
