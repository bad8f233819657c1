import type { Finish } from '#core/checkpoint/record-end';
import type { StoredRecord } from '#core/record/records';

/** What no consumer can be sent, and why. */
export interface Unsendable {
  readonly unsendable: string;
}

/** Refused records at rest, each under a key, to be sent to their consumer again. */
export interface KeptRecords {
  /** Undefined when it is there no more. */
  read(key: string): Promise<StoredRecord | Unsendable | undefined>;
  /** Keeps it with how it ended, and takes it out of quarantine; twice is as good as once. */
  retire(key: string, end: Exclude<Finish, 'refused'>): Promise<void>;
  /**
   * Of records that were refused again, takes out what lies under these keys where the consumer has
   * put the record under another since: it rests once, with the reason of now.
   */
  leaveNewest(keys: readonly string[]): Promise<void>;
}
