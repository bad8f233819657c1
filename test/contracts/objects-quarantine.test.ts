import { DatabaseSync } from 'node:sqlite';
import type { SignedFetch } from '#adapters/aws/signed-fetch';
import { bucketQuarantine } from '#adapters/objects/quarantine';
import { createObjects } from '#local/emulators/objects/objects';
import type { Refused } from '#ports/quarantine';
import { handClock } from '#test/local/hand-clock';
import { ask } from '#test/local/ask';
import { quarantineContract } from './quarantine.contract.ts';

quarantineContract('bucket', async () => {
  const storage = new DatabaseSync(':memory:');
  const objects = createObjects({ storage, clock: handClock(1_900_000_000_000) });
  objects.buckets.createBucket('box');
  const send: SignedFetch = async ({ method, path, body = '' }) => {
    const answer = await ask(objects, method, path, { body });
    return new Response(answer.text || null, { status: answer.status });
  };
  const kept = async () =>
    objects.buckets.list('box', '').map((key) => {
      return refusedIn(Buffer.from(objects.buckets.get('box', key)!).toString());
    });
  return { quarantine: bucketQuarantine(send, 'box'), kept };
});

function refusedIn(text: string): Refused {
  const { v: _form, at, payload, payloadBase64, ...rest } = JSON.parse(text);
  return {
    ...rest,
    payload: payload === undefined ? Buffer.from(payloadBase64, 'base64') : Buffer.from(payload),
    atMs: Date.parse(at),
  };
}
