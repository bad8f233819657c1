/** Decides how many of the records at hand make the next batch. */
import { eventBytes } from './kinesis-event.ts';
import type { HeldRecord } from './kinesis-event.ts';

export interface BatchLimits {
  readonly recordsMax: number;
  readonly payloadBytesMax: number;
  /** Records that arrived from then on are of a later window. */
  readonly beforeMs?: number;
}

export type BatchPlan =
  /** No event could hold the first record. */
  | { readonly kind: 'too-large' }
  /** `isFull`: waiting for more records would not make it larger. */
  | { readonly kind: 'batch'; readonly records: number; readonly isFull: boolean };

/** Takes records from the front while they fit; of none it makes an empty batch. */
export function planBatch(held: readonly HeldRecord[], limits: BatchLimits): BatchPlan {
  const { recordsMax, payloadBytesMax, beforeMs = Infinity } = limits;
  let bytes = eventBytes([]);
  let count = 0;
  for (const record of held) {
    if (record.arrivalTimeMs >= beforeMs) return { kind: 'batch', records: count, isFull: true };
    bytes += record.bytes + (count === 0 ? 0 : 1);
    if (bytes > payloadBytesMax) {
      return count === 0 ? { kind: 'too-large' } : { kind: 'batch', records: count, isFull: true };
    }
    count++;
    if (count === recordsMax) return { kind: 'batch', records: count, isFull: true };
  }
  return { kind: 'batch', records: count, isFull: false };
}
