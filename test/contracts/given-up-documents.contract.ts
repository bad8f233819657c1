import { describe, expect, test } from 'vitest';
import type { SequenceNumber } from '#core/record/records';
import type { GivenUp, GivenUpDocuments } from '#ports/given-up-documents';

export interface OpenGivenUpDocuments {
  readonly documents: GivenUpDocuments;
  /** Leaves one there as an event source mapping does; answers its key. */
  leave(document: GivenUp): Promise<string>;
}

/** What every GivenUpDocuments promises. */
export function givenUpDocumentsContract(
  name: string,
  open: () => Promise<OpenGivenUpDocuments>,
): void {
  const document = (atMs: number): GivenUp => ({
    consumer: 'audit',
    condition: 'RetryAttemptsExhausted',
    attempts: 3,
    atMs,
    records: [7, 9].map((sequence) => ({
      shardId: 'shardId-000000000004',
      sequenceNumber: String(sequence) as SequenceNumber,
      partitionKey: 'lane',
      data: Buffer.from([0, 0xff, sequence]),
      arrivalTimeMs: 1_900_000_000_777,
    })),
  });

  async function keysIn(documents: GivenUpDocuments): Promise<readonly string[]> {
    const keys: string[] = [];
    for await (const key of documents.list()) keys.push(key);
    return keys;
  }

  describe(`GivenUpDocuments: ${name}`, () => {
    test('those of a shard are listed from the oldest on', async () => {
      const { documents, leave } = await open();
      const late = await leave(document(1_900_000_090_000));
      const early = await leave(document(1_900_000_010_000));
      expect(await keysIn(documents)).toEqual([early, late]);
    });

    test('one reads back whole', async () => {
      const { documents, leave } = await open();
      const read = await documents.read(await leave(document(1_900_000_010_000)));
      expect(read).toMatchObject({
        consumer: 'audit',
        condition: 'RetryAttemptsExhausted',
        attempts: 3,
        atMs: 1_900_000_010_000,
      });
      expect(read?.records).toEqual(document(0).records);
    });

    test('one that is removed is there no more, however often', async () => {
      const { documents, leave } = await open();
      const key = await leave(document(1_900_000_010_000));
      await documents.remove(key);
      await documents.remove(key);
      expect(await keysIn(documents)).toEqual([]);
      expect(await documents.read(key)).toBeUndefined();
    });
  });
}
