/** StreamWriter in memory: one shard, and faults on request. */
import type { OutgoingRecord, SequenceNumber } from '#core/record/records';
import type { PutOutcome, StreamWriter } from '#ports/stream-writer';

export interface WrittenRecord extends OutgoingRecord {
  readonly sequenceNumber: SequenceNumber;
}

/** What happens to one entry; `unknown` writes it, then says nothing. */
export type EntryFate = 'written' | 'throttled' | 'failed';

export interface RequestFate {
  /** The answer is lost, whatever became of the entries. */
  readonly answered: boolean;
  readonly entry: (record: OutgoingRecord, at: number) => EntryFate;
}

const ALL_WELL: RequestFate = { answered: true, entry: () => 'written' };

export interface MemoryStream extends StreamWriter {
  /** In the order of their sequence numbers. */
  readonly written: readonly WrittenRecord[];
  /** Every request made, as it was sent. */
  readonly requests: readonly (readonly OutgoingRecord[])[];
}

/** @param fate decides each request's lot, by its index from 0. */
export function memoryStreamWriter(
  fate: (request: number) => RequestFate = () => ALL_WELL,
): MemoryStream {
  const written: WrittenRecord[] = [];
  const requests: (readonly OutgoingRecord[])[] = [];
  return {
    written,
    requests,
    async put(records) {
      const { answered, entry } = fate(requests.length);
      requests.push(records.map(copy));
      const outcomes = records.map((record, at): PutOutcome => {
        switch (entry(record, at)) {
          case 'throttled':
            return { kind: 'throttled' };
          case 'failed':
            return { kind: 'failed', code: 'InternalFailure' };
          case 'written': {
            const sequenceNumber = String(written.length + 1) as SequenceNumber;
            written.push({ ...copy(record), sequenceNumber });
            return { kind: 'written', sequenceNumber };
          }
        }
      });
      const cause = new Error('no answer');
      return answered ? outcomes : records.map(() => ({ kind: 'unknown', cause }));
    },
  };
}

/** Whoever sends a record may use its memory again. */
function copy({ partitionKey, data }: OutgoingRecord): OutgoingRecord {
  return { partitionKey, data: data.slice() };
}
