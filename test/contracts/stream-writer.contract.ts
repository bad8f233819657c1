import { describe, expect, test } from 'vitest';
import type { OutgoingRecord, PartitionKey } from '#core/record/records';
import type { StreamWriter } from '#ports/stream-writer';

const record = (key: string): OutgoingRecord => ({
  partitionKey: key as PartitionKey,
  data: new Uint8Array([7]),
});

/** What every StreamWriter promises: run on the memory twin, the local cloud and LocalStack. */
export function streamWriterContract(name: string, open: () => Promise<StreamWriter>): void {
  describe(`StreamWriter: ${name}`, () => {
    test('answers every record, in the order given', async () => {
      const outcomes = await (await open()).put([record('a'), record('b'), record('c')]);
      expect(outcomes.map(({ kind }) => kind)).toEqual(['written', 'written', 'written']);
    });

    test('numbers the records of one key upwards', async () => {
      const writer = await open();
      const numbers: bigint[] = [];
      for (let at = 0; at < 3; at++) {
        const [outcome] = await writer.put([record('a')]);
        if (outcome?.kind === 'written') numbers.push(BigInt(outcome.sequenceNumber));
      }
      expect(numbers).toHaveLength(3);
      expect(numbers).toEqual(numbers.toSorted((a, b) => (a < b ? -1 : 1)));
      expect(new Set(numbers).size).toBe(3);
    });

    test('takes a full request of 500 records', async () => {
      const outcomes = await (
        await open()
      ).put(Array.from({ length: 500 }, (_, at) => record(`key-${at}`)));
      expect(outcomes.filter(({ kind }) => kind === 'written')).toHaveLength(500);
    });
  });
}
