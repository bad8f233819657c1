/** Ledgers over a bucket of their own: one compressed object each. */
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { SignedFetch } from '#adapters/aws/signed-fetch';
import { tenDigits } from '#core/record/observed-text';
import type { LedgerName } from '#core/source/ledger';
import type { Ledgers } from '#ports/ledgers';
import { objectBucket } from './bucket.ts';

const TIMEOUT_MS = 10_000;

/** Digests do not compress, and keys do at the first level already. */
const LEVEL = 1;

const KEY = /^(?<epoch>\d{10})-(?<number>\d{10})\.gz$/;

/** @param send signed requests to S3, by path: `/<bucket>/<key>`. */
export function bucketLedgers(send: SignedFetch, bucketName: string): Ledgers {
  const bucket = objectBucket(send, bucketName, TIMEOUT_MS);
  return {
    async put(name, text) {
      await bucket.put(keyOf(name), new Uint8Array(await promisify(gzip)(text, { level: LEVEL })));
    },
    async get(name) {
      const body = await bucket.get(keyOf(name));
      return body && (await promisify(gunzip)(body)).toString();
    },
    async names() {
      const names: LedgerName[] = [];
      for await (const { key } of bucket.list()) {
        const { epoch, number } = KEY.exec(key)?.groups ?? {};
        if (epoch !== undefined) names.push({ epoch: Number(epoch), number: Number(number) });
      }
      return names;
    },
    remove: (name) => bucket.delete(keyOf(name)),
  };
}

/** Keys sort as their names do. */
function keyOf({ epoch, number }: LedgerName): string {
  return `${tenDigits(epoch)}-${tenDigits(number)}.gz`;
}
