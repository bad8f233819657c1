import type { LedgerName } from '#core/source/ledger';

/** Where one pipeline's ledgers rest, and the parts of those that are being written. */
export interface Ledgers {
  /** Keeps a text under its name; returns only once it is stored. @throws a retryable error otherwise. */
  put(name: LedgerName, text: string): Promise<void>;
  /** Undefined when nothing is kept under the name. */
  get(name: LedgerName): Promise<string | undefined>;
  /** Every name that something is kept under, in the order of writing. */
  names(): Promise<readonly LedgerName[]>;
  /** One that is gone already is no failure. */
  remove(name: LedgerName): Promise<void>;
}
