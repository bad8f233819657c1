import type { SequenceNumber } from '#core/record/records';
import type { StreamWriter } from '#ports/stream-writer';

/** Takes every record after `lateMs`, and keeps none. */
export function nullStream(lateMs = 0): StreamWriter {
  const written = { kind: 'written', sequenceNumber: '1' as SequenceNumber } as const;
  return {
    async put(records) {
      if (lateMs > 0) await new Promise((resolve) => setTimeout(resolve, lateMs));
      return records.map(() => written);
    },
  };
}
