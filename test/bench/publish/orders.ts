/** Order changes of about 499 bytes each, made before the clock runs. */
import type { PartitionKey } from '#core/record/records';
import type { SizedRecord } from '#pipeline/publish';

const BYTES = 499;

/** `keys` orders in turn, each version of one newer than the last. */
export function orders(count: number, keys: number): readonly SizedRecord[] {
  return Array.from({ length: count }, (_, at) => {
    const partitionKey = `order-${String((at * 7_919) % keys).padStart(7, '0')}` as PartitionKey;
    const head = `{"order_id":"${partitionKey}","version":${at},"note":"`;
    const data = Buffer.from(`${head}${'x'.repeat(BYTES - head.length - 2)}"}`);
    return {
      partitionKey,
      bytes: data.byteLength + partitionKey.length,
      record: { partitionKey, data },
    };
  });
}
