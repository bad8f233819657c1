import { describe, expect, test } from 'vitest';
import type { Ledgers } from '#ports/ledgers';

/** What every Ledgers promises. Each `open` answers one that keeps nothing. */
export function ledgersContract(name: string, open: () => Promise<Ledgers>): void {
  describe(`Ledgers: ${name}`, () => {
    test('a text reads back as it was put, whatever it holds', async () => {
      const ledgers = await open();
      const text = `{"v":1}\n["ключ \\u0000 🦑","00ff"]\n${'x'.repeat(100_000)}`;
      await ledgers.put({ epoch: 3, number: 1 }, text);
      expect(await ledgers.get({ epoch: 3, number: 1 })).toBe(text);
    });

    test('under a name that was never used there is nothing', async () => {
      const ledgers = await open();
      await ledgers.put({ epoch: 31, number: 1 }, 'one');
      expect(await ledgers.get({ epoch: 3, number: 11 })).toBeUndefined();
      expect(await ledgers.get({ epoch: 3, number: 1 })).toBeUndefined();
    });

    test('names come in the order of writing: by lease, then by number', async () => {
      const ledgers = await open();
      expect(await ledgers.names()).toEqual([]);
      const names = [
        { epoch: 2, number: 9 },
        { epoch: 2, number: 10 },
        { epoch: 10, number: 1 },
      ];
      for (const one of names.toReversed()) await ledgers.put(one, 'text');
      expect(await ledgers.names()).toEqual(names);
    });

    test('what is put under a name again takes its place', async () => {
      const ledgers = await open();
      await ledgers.put({ epoch: 5, number: 1 }, 'first');
      await ledgers.put({ epoch: 5, number: 1 }, 'second');
      expect(await ledgers.get({ epoch: 5, number: 1 })).toBe('second');
      expect(await ledgers.names()).toHaveLength(1);
    });

    test('what is removed is gone, however often, and nothing else', async () => {
      const ledgers = await open();
      await ledgers.put({ epoch: 7, number: 1 }, 'one');
      await ledgers.put({ epoch: 7, number: 2 }, 'two');
      await ledgers.remove({ epoch: 7, number: 1 });
      await ledgers.remove({ epoch: 7, number: 1 });
      expect(await ledgers.get({ epoch: 7, number: 1 })).toBeUndefined();
      expect(await ledgers.names()).toEqual([{ epoch: 7, number: 2 }]);
    });
  });
}
