import type { PartitionKey } from './records.ts';

/** @source Kinesis API 2013-12-02, shape PartitionKey: 1 to 256 Unicode characters. */
export const PARTITION_KEY_CHARACTERS_MAX = 256;

/** Make a partition key of a text, or undefined when Kinesis would refuse it. */
export function toPartitionKey(text: string): PartitionKey | undefined {
  const fits =
    text.length > 0 &&
    // A character is one or two code units: only long texts need the exact count.
    (text.length <= PARTITION_KEY_CHARACTERS_MAX ||
      (text.length <= 2 * PARTITION_KEY_CHARACTERS_MAX &&
        Array.from(text).length <= PARTITION_KEY_CHARACTERS_MAX));
  return fits && text.isWellFormed() ? (text as PartitionKey) : undefined;
}
