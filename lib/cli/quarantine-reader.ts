/** Lists what rests in a quarantine bucket, for a count or a verdict. */
import { objectBucket } from '#adapters/objects/bucket';
import type { SignedFetch } from '#adapters/aws/signed-fetch';
import { restingIn } from './quarantine/entries.ts';

/** Read the keys of a bucket, but for what was sent again. */
export async function listQuarantine(
  send: SignedFetch,
  bucket: string,
): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const { key } of restingIn(objectBucket(send, bucket))) keys.push(key);
  return keys;
}

/** The reason within a quarantine key. */
export function reasonOf(key: string): string {
  return key.split('/')[1] ?? 'unknown';
}
