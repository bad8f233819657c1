/** KeptRecords over the quarantine bucket: what ended moves below `redriven/`. */
import type { Clock } from '#ports/clock';
import type { KeptRecords } from '#ports/kept-records';
import type { Bucket } from './bucket.ts';
import { readKeptObject } from './kept-object.ts';
import { ORIGINALS, readQuarantineKey, REDRIVEN } from './quarantine-key.ts';

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
    leaveNewest: (keys) => leaveNewest(bucket, keys),
  };
}

/** One listing of what the consumer refused, however many keys. */
async function leaveNewest(bucket: Bucket, keys: readonly string[]): Promise<void> {
  const places = keys.flatMap((key) => placeOf(key) ?? []);
  const names = new Set(places.map(({ name }) => name));
  const putMs = new Map<string, number>();
  const newestMs = new Map<string, number>();
  for (const stage of new Set(places.map((place) => place.stage))) {
    for await (const { key, modifiedMs } of bucket.list(`${stage}/`)) {
      const name = placeOf(key)?.name ?? '';
      if (!names.has(name)) continue;
      putMs.set(key, modifiedMs);
      newestMs.set(name, Math.max(modifiedMs, newestMs.get(name) ?? modifiedMs));
    }
  }
  for (const key of keys) {
    const newest = newestMs.get(placeOf(key)?.name ?? '');
    // Of two of one moment both stay: rather twice than not at all.
    if (newest !== undefined && (putMs.get(key) ?? newest) < newest) await bucket.delete(key);
  }
}

/** What names a record whatever it was refused for. */
function placeOf(key: string): { readonly stage: string; readonly name: string } | undefined {
  const place = readQuarantineKey(key);
  if (place.kind !== 'record' || place.position === undefined) return undefined;
  const { stage, position } = place;
  return { stage, name: `${stage}/${position.shardId}-${position.sequenceNumber}` };
}
