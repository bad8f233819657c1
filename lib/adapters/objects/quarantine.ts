/** Quarantine over a bucket: one PutObject a record. */
import type { SignedFetch } from '#adapters/aws/signed-fetch';
import type { Quarantine } from '#ports/quarantine';
import { objectBucket } from './bucket.ts';
import { quarantineKey, quarantineText } from './quarantine-object.ts';

/** A consumer keeps so long at the end of its time. */
const TIMEOUT_MS = 5_000;

/** @param send signed requests to S3, by path: `/<bucket>/<key>`. */
export function bucketQuarantine(send: SignedFetch, bucketName: string): Quarantine {
  const bucket = objectBucket(send, bucketName, TIMEOUT_MS);
  return { put: (refused) => bucket.put(quarantineKey(refused), quarantineText(refused)) };
}
