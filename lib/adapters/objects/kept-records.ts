/** KeptRecords over the quarantine bucket: what ended moves below `redriven/`. */
import type { Clock } from '#ports/clock';
import type { KeptRecords } from '#ports/kept-records';
import type { Bucket } from './bucket.ts';
import { readKeptObject } from './kept-object.ts';
import { ORIGINALS, REDRIVEN } from './quarantine-key.ts';

export interface KeptRecordsOptions {
  readonly clock: Pick<Clock, 'nowMs'>;
  /** Sent in the place of what is kept, by key; the original is kept beside. */
  readonly edits?: ReadonlyMap<string, Uint8Array>;
}

export function bucketKeptRecords(
  bucket: Bucket,
  { clock, edits = new Map() }: KeptRecordsOptions,
): KeptRecords {
  return {
    async read(key) {
      const body = await bucket.get(key);
      if (body === undefined) return undefined;
      const kept = readKeptObject(body);
      if (typeof kept === 'string') return { unsendable: kept };
      if (kept.origin === undefined) {
        return { unsendable: 'it was kept before its place in the stream was' };
      }
      const edited = edits.get(key);
      // A consumer that refuses it again would write over the original.
      if (edited !== undefined) await bucket.putNew(ORIGINALS + key, Buffer.from(body));
      return { ...kept.origin, data: edited ?? kept.payload };
    },
    async retire(key, end) {
      const body = await bucket.get(key);
      if (body !== undefined) {
        const at = new Date(clock.nowMs()).toISOString();
        const members = JSON.parse(Buffer.from(body).toString()) as object;
        const edited = edits.get(key);
        const redriven = {
          at,
          end,
          ...(edited && { edited: Buffer.from(edited).toString() }),
        };
        await bucket.put(REDRIVEN + key, JSON.stringify({ ...members, redriven }));
      }
      await bucket.delete(key);
    },
  };
}
