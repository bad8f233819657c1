/** Ledgers in memory: the reference for its contract. */
import { compareLedgerNames, ledgerId } from '#core/source/ledger';
import type { LedgerName } from '#core/source/ledger';
import type { Ledgers } from '#ports/ledgers';

export function memoryLedgers(): Ledgers {
  const texts = new Map<string, { readonly name: LedgerName; readonly text: string }>();
  return {
    async put(name, text) {
      texts.set(ledgerId(name), { name, text });
    },
    get: async (name) => texts.get(ledgerId(name))?.text,
    names: async () => [...texts.values()].map(({ name }) => name).toSorted(compareLedgerNames),
    async remove(name) {
      texts.delete(ledgerId(name));
    },
  };
}
