/** Everything in a quarantine bucket as it was put, read apart from what wrote it. */
import type { SignedFetch } from '#adapters/aws/signed-fetch';
import { listQuarantine } from '#cli/quarantine-reader';
import type { Refused } from '#ports/quarantine';

export async function keptIn(send: SignedFetch, bucket: string): Promise<readonly Refused[]> {
  const keys = await listQuarantine(send, bucket);
  return Promise.all(
    keys.map(async (key) => {
      const answer = await send({ method: 'GET', path: `/${bucket}/${key}`, timeoutMs: 30_000 });
      return refusedIn(await answer.text());
    }),
  );
}

function refusedIn(text: string): Refused {
  const { v: _form, at, payload, payloadBase64, ...rest } = JSON.parse(text);
  return {
    ...rest,
    payload: payload === undefined ? Buffer.from(payloadBase64, 'base64') : Buffer.from(payload),
    atMs: Date.parse(at),
  };
}
