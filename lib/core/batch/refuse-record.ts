import { PARTITION_KEY_CHARACTERS_MAX, toPartitionKey } from '#core/record/partition-key';
import type { Refusal } from '#core/record/refusal';
import { refuseOversized } from './record-size.ts';

/** Refuse what no stream takes, as Kinesis would: only what can be judged before it is sent. */
export function refuseRecord(
  { partitionKey, bytes }: { readonly partitionKey: string; readonly bytes: number },
  recordBytesMax: number,
): Refusal | undefined {
  if (toPartitionKey(partitionKey) !== undefined) return refuseOversized(bytes, recordBytesMax);
  const detail =
    partitionKey === ''
      ? 'the partition key is empty'
      : `the partition key is no text of 1 to ${PARTITION_KEY_CHARACTERS_MAX} characters`;
  return {
    kind: 'refused',
    reason: partitionKey === '' ? 'no-partition-key' : 'key-too-long',
    detail,
  };
}
