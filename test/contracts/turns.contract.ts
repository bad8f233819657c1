import { describe, expect, test } from 'vitest';
import type { Turns } from '#ports/turns';

const NOW_MS = 1_900_000_000_000;

/** What every Turns promises. Each `open` answers one in which nobody has a turn. */
export function turnsContract(name: string, open: () => Promise<Turns>): void {
  const ask = { name: 'penstock/dev/orders-grant', nowMs: NOW_MS, lengthMs: 30_000 };
  const taken = async (turns: Turns, nowMs = NOW_MS) => {
    const turn = await turns.take({ ...ask, nowMs });
    if (turn.kind !== 'taken') throw new Error(`not to be had: ${turn.kind}`);
    return turn;
  };

  describe(`Turns: ${name}`, () => {
    test('the first who asks has it, and the others are told until when', async () => {
      const turns = await open();
      expect(await turns.take(ask)).toEqual({
        kind: 'taken',
        name: ask.name,
        number: 1,
        untilMs: NOW_MS + 30_000,
      });
      expect(await turns.take({ ...ask, nowMs: NOW_MS + 29_999 })).toEqual({
        kind: 'held',
        untilMs: NOW_MS + 30_000,
      });
      expect((await turns.take({ ...ask, name: 'another' })).kind).toBe('taken');
    });

    test('of many who ask at once, one has it', async () => {
      const turns = await open();
      const all = await Promise.all(Array.from({ length: 8 }, () => turns.take(ask)));
      expect(all.filter(({ kind }) => kind === 'taken')).toHaveLength(1);
    });

    test('given back, it is free at once', async () => {
      const turns = await open();
      await turns.giveBack(await taken(turns));
      expect(await taken(turns, NOW_MS + 1)).toMatchObject({ number: 2 });
    });

    test('not given back, it is free when its time is over', async () => {
      const turns = await open();
      await taken(turns);
      expect(await taken(turns, NOW_MS + 30_000)).toMatchObject({ number: 2 });
    });

    test('who has lost it gives nothing back', async () => {
      const turns = await open();
      const first = await taken(turns);
      await taken(turns, NOW_MS + 30_000);
      await turns.giveBack(first);
      expect((await turns.take({ ...ask, nowMs: NOW_MS + 30_001 })).kind).toBe('held');
    });
  });
}
