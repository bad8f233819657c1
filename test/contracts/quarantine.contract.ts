import { describe, expect, test } from 'vitest';
import type { Quarantine, Refused, SetAside } from '#ports/quarantine';

export interface OpenQuarantine {
  readonly quarantine: Quarantine;
  /** Everything kept, in any order, as it was put. */
  readonly kept: () => Promise<readonly SetAside[]>;
}

/** What every Quarantine promises. */
export function quarantineContract(name: string, open: () => Promise<OpenQuarantine>): void {
  const refused = (change: Partial<Refused> = {}): Refused => ({
    pipeline: 'orders',
    stage: 'audit',
    reason: 'not-json',
    detail: '11 bytes that are not JSON in UTF-8',
    place: 'shardId-000000000004-4951',
    payload: Buffer.from('%%%not json é€'),
    atMs: 1_900_000_000_777,
    ...change,
  });
  const plain = (one: SetAside) => ({ ...one, payload: Buffer.from(one.payload).toString('hex') });

  describe(`Quarantine: ${name}`, () => {
    test('a record reads back with its bytes and its reason', async () => {
      const { quarantine, kept } = await open();
      await quarantine.put(refused());
      expect((await kept()).map(plain)).toEqual([plain(refused())]);
    });

    test.each([['00ff'], ['efbbbf7b7d'], ['']])('the bytes %s are kept to the bit', async (hex) => {
      const { quarantine, kept } = await open();
      const payload = Buffer.from(hex, 'hex');
      await quarantine.put(refused({ payload }));
      expect((await kept()).map(plain)).toEqual([plain(refused({ payload }))]);
    });

    test('the same record refused twice rests in one place', async () => {
      const { quarantine, kept } = await open();
      await quarantine.put(refused());
      await quarantine.put(refused());
      expect(await kept()).toHaveLength(1);
    });

    test('places that differ only in odd characters stay apart', async () => {
      const { quarantine, kept } = await open();
      for (const place of ['a/b', 'a_b', 'a b', '..', '.', 'ä'])
        await quarantine.put(refused({ place }));
      expect(new Set((await kept()).map(({ place }) => place)).size).toBe(6);
    });

    test('stages and reasons stay apart', async () => {
      const { quarantine, kept } = await open();
      await quarantine.put(refused());
      await quarantine.put(refused({ stage: 'poll' }));
      await quarantine.put(refused({ reason: 'no-key' }));
      expect(await kept()).toHaveLength(3);
    });
  });
}
