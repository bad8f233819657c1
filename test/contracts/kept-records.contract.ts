import { describe, expect, test, vi } from 'vitest';
import type { SequenceNumber, StoredRecord } from '#core/record/records';
import type { KeptRecords } from '#ports/kept-records';

export interface OpenKeptRecords {
  readonly records: KeptRecords;
  /** Puts one there, as its consumer does; answers its key. */
  put(record: StoredRecord, reason?: 'not-json' | 'no-key'): Promise<string>;
  /** Everything that was taken out, with how it ended. */
  retired(): Promise<readonly (readonly [key: string, end: string])[]>;
}

/** What every KeptRecords promises. */
export function keptRecordsContract(name: string, open: () => Promise<OpenKeptRecords>): void {
  const record = (sequence: number, hex: string): StoredRecord => ({
    shardId: 'shardId-000000000004',
    sequenceNumber: String(sequence) as SequenceNumber,
    partitionKey: 'lane é',
    data: Buffer.from(hex, 'hex'),
    arrivalTimeMs: 1_900_000_000_777,
  });

  describe(`KeptRecords: ${name}`, () => {
    test.each([['00ff'], ['7b7d'], ['']])(
      '%s reads back to the bit, with its origin',
      async (hex) => {
        const { records, put } = await open();
        const key = await put(record(5, hex));
        const read = (await records.read(key)) as StoredRecord;
        const { data, ...origin } = record(5, hex);
        expect({ ...read, data: Buffer.from(read.data).toString('hex') }).toEqual({
          ...origin,
          data: Buffer.from(data).toString('hex'),
        });
      },
    );

    test('what is retired is gone, and is kept with how it ended', async () => {
      const { records, put, retired } = await open();
      const key = await put(record(5, '7b7d'));
      const other = await put(record(6, '7b7d'));
      await records.retire(key, 'stale');
      expect(await records.read(key)).toBeUndefined();
      expect(await records.read(other)).toMatchObject({ sequenceNumber: '6' });
      expect(await retired()).toEqual([[key, 'stale']]);
    });

    test('of a record that was refused again for another reason, the last stays', async () => {
      const { records, put } = await open();
      const [early, other] = [await put(record(5, '7b7d')), await put(record(6, '7b7d'))];
      // A store may tell moments apart by the second.
      const late = await vi.waitFor(
        async () => {
          const key = await put(record(5, '7b7d'), 'no-key');
          await records.leaveNewest([early, other, key]);
          expect(await records.read(early)).toBeUndefined();
          return key;
        },
        { timeout: 20_000 },
      );
      expect(await records.read(late)).toMatchObject({ sequenceNumber: '5' });
      expect(await records.read(other)).toMatchObject({ sequenceNumber: '6' });
      await records.leaveNewest([early, late]);
      expect(await records.read(late)).toMatchObject({ sequenceNumber: '5' });
    });

    test('retired twice is as good as once', async () => {
      const { records, put, retired } = await open();
      const key = await put(record(5, '7b7d'));
      await records.retire(key, 'written');
      await records.retire(key, 'stale');
      expect(await retired()).toEqual([[key, 'written']]);
    });
  });
}
