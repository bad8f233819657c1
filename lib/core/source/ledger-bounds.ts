/** How large a snapshot may be: its ledger, and the one before it, are held in a function's memory. */
import type { Ledger } from './ledger.ts';

/** As many as one answer may hold. */
export const LEDGER_ROWS_MAX = 250_000;

/** Of all keys and partition keys together: 128 characters for each of the most rows. */
const LEDGER_CHARS_MAX = 32_000_000;

/** @returns a sentence where a snapshot is larger than a ledger may be. */
export function ledgerFault(
  { rows }: Ledger,
  rowsMax: number = LEDGER_ROWS_MAX,
): string | undefined {
  const remedy = 'poll a part of it in each of several pipelines (source.query), or by time';
  if (rows.size > rowsMax) {
    return `the snapshot holds more than ${rowsMax} keys: ${remedy}`;
  }
  let chars = 0;
  for (const [key, { partitionKey = '' }] of rows) chars += key.length + partitionKey.length;
  if (chars <= LEDGER_CHARS_MAX) return undefined;
  return `the keys of the snapshot take more than ${LEDGER_CHARS_MAX} characters: ${remedy}`;
}
