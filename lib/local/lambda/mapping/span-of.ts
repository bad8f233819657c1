/** What an event says of the records it is about. */
import type { HeldRecord } from './kinesis-event.ts';

export function spanOf(records: readonly HeldRecord[]) {
  return {
    records: records.length,
    firstSequenceNumber: records[0]?.sequenceNumber ?? '',
    lastSequenceNumber: records.at(-1)?.sequenceNumber ?? '',
  };
}
