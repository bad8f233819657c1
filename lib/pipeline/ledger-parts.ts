/** Writes down what a run shows, part by part, and takes a run up again where an earlier poll left it. */
import type { Cursor } from '#core/source/cursor';
import { decodeLedger, encodeLedger } from '#core/source/ledger';
import type { Ledger, LedgerName, MutableLedger } from '#core/source/ledger';
import { partNames } from '#core/source/snapshot-cursor';
import type { Ledgers } from '#ports/ledgers';
import { readAll } from './load-ledger.ts';
import type { PollWorld } from './poll-options.ts';

export interface LedgerWriter {
  /** The next name that is free under the lease. */
  nextName(): LedgerName;
  write(ledger: Ledger): Promise<LedgerName>;
}

/** @param epoch of the lease. */
export function ledgerWriter(ledgers: Ledgers, epoch: number): LedgerWriter {
  let number = 0;
  const nextName = () => ({ epoch, number: ++number });
  return {
    nextName,
    async write(ledger) {
      const name = nextName();
      await ledgers.put(name, encodeLedger(ledger));
      return name;
    },
  };
}

/**
 * Read what the cursor's run has shown so far into `shown`.
 *
 * @param what they are parts of, as a sentence names it.
 * @returns the cursor; without its run where a part is gone, which is said.
 */
export async function resumeParts(
  cursor: Cursor,
  shown: MutableLedger,
  {
    ledgers,
    pipeline,
    report,
    what,
  }: Pick<PollWorld, 'report'> & {
    readonly ledgers: Ledgers;
    readonly pipeline: string;
    readonly what: string;
  },
): Promise<Cursor> {
  const texts = await readAll(ledgers, partNames(cursor.run?.snapshot?.parts ?? []));
  for (const text of texts) if (text !== undefined) decodeLedger(text, shown);
  if (!texts.includes(undefined)) return cursor;
  report({ event: 'RunRestarted', pipeline, detail: `a part of ${what} is gone from its bucket` });
  return { ...cursor, run: null };
}
