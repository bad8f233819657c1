/** Removes what no cursor names any more. */
import { compareLedgerNames } from '#core/source/ledger';
import type { LedgerName } from '#core/source/ledger';
import type { PollWorld } from './poll-options.ts';

/** @param kept `ledger`: what is in force; nothing if undefined. What cannot be removed now, a later sweep removes. */
export async function sweepLedgers(
  ledgers: PollWorld['ledgers'],
  { epoch, ledger }: { readonly epoch: number; readonly ledger: LedgerName | undefined },
): Promise<void> {
  const names = (await ledgers?.names().catch(() => [])) ?? [];
  const old = names.filter(
    (name) =>
      name.epoch <= epoch && (ledger === undefined || compareLedgerNames(name, ledger) !== 0),
  );
  for (const name of old) await ledgers?.remove(name).catch(() => undefined);
}
