/** What is known of keys before a full read, and what follows from the read. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDoubts, addPart, decodeLedger, emptyLedger, encodeLedger } from '#core/source/ledger';
import type { LedgerRow } from '#core/source/ledger';
import { settleFullRead } from '#core/source/settle-full-read';

const KEYS = ['a', 'b', 'c', 'd', 'e'];
const GONE = { digest: '', isGone: true } as const;
const ledgerOf = (rows: Readonly<Record<string, LedgerRow>>) => ({
  ...emptyLedger(),
  rows: new Map(Object.entries(rows)),
});
const RULES = { shareMax: 1, missesMin: 1, removedMax: 17 } as const;
const row = fc.constantFrom<LedgerRow>({ digest: '' }, { digest: '', partitionKey: 'p' }, GONE);
const rows = fc.dictionary(fc.constantFrom(...KEYS), row);

test('a part says of each key last whether it lives, and is read back as it was written', () =>
  fc.assert(
    fc.property(rows, rows, (before, then) => {
      const ledger = emptyLedger();
      for (const part of [before, then]) {
        const stored = decodeLedger(encodeLedger(ledgerOf(part)));
        expect(stored).toEqual(ledgerOf(part));
        addPart(ledger, stored);
      }
      const live = Object.entries({ ...before, ...then }).filter(([, { isGone }]) => !isGone);
      expect(new Map(ledger.rows)).toEqual(new Map(live));
    }),
  ));

test('in doubt every key lives, one that is deleted too', () => {
  const ledger = ledgerOf({ a: { digest: '' } });
  addDoubts(ledger, ledgerOf({ a: GONE, b: GONE, c: { digest: '', partitionKey: 'p' } }));
  expect(ledger).toEqual(
    ledgerOf({ a: { digest: '' }, b: { digest: '' }, c: { digest: '', partitionKey: 'p' } }),
  );
});

test('a known key is shown, told to be deleted, or gone; what is neither told nor gone lives', () =>
  fc.assert(
    fc.property(rows, rows, (known, shown) => {
      fc.pre(Object.keys(shown).length > 0);
      const live = emptyLedger();
      addPart(live, ledgerOf(known));
      const isKnown = new Set(live.rows.keys());
      const settled = settleFullRead({ known: live, shown: ledgerOf(shown) }, RULES);
      const gone = KEYS.filter((key) => isKnown.has(key) && !(key in shown));
      expect([...settled.gone.keys()].toSorted()).toEqual(gone);
      const left = KEYS.filter((key) => key in shown && !shown[key]!.isGone);
      expect([...settled.ledger.rows.keys()].toSorted()).toEqual(left);
      expect([settled.waiting, settled.complaint]).toEqual([0, undefined]);
    }),
  ));

test('a read that showed nothing removes nothing, and of nothing known it is no matter', () => {
  const known = ledgerOf({ a: { digest: '' } });
  const empty = settleFullRead({ known, shown: emptyLedger() }, RULES);
  expect(empty).toMatchObject({ ledger: known, waiting: 1, gone: new Map() });
  expect(empty.complaint).toBe(
    'a full read of the source showed nothing, and 1 records are known: none is removed',
  );
  const none = settleFullRead({ known: emptyLedger(), shown: emptyLedger() }, RULES);
  expect(none.complaint).toBeUndefined();
});
