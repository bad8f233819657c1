/** Quarantine over a bucket: one PutObject a record. */
import { AwsError } from '#adapters/aws/aws-error';
import type { SignedFetch } from '#adapters/aws/signed-fetch';
import type { Quarantine } from '#ports/quarantine';
import { quarantineKey, quarantineText } from './quarantine-object.ts';

/** An object is at most a stream record and its reason: 10 MiB, on a slow day. */
const PUT_TIMEOUT_MS = 5_000;

/** Answers that another try may change. @source S3 API, error responses (2026-10). */
const RETRYABLE_STATUSES = new Set([408, 429, 500, 502, 503, 504]);

/** @param send signed requests to S3, by path: `/<bucket>/<key>`. */
export function bucketQuarantine(send: SignedFetch, bucketName: string): Quarantine {
  return {
    async put(refused) {
      const key = quarantineKey(refused);
      const doing = `storing ${key} in the bucket ${bucketName}`;
      let response: Response;
      try {
        response = await send({
          method: 'PUT',
          path: `/${bucketName}/${key}`,
          headers: { 'content-type': 'application/json' },
          body: quarantineText(refused),
          timeoutMs: PUT_TIMEOUT_MS,
        });
      } catch (cause) {
        throw new AwsError(`${doing}: S3 did not answer`, { retryable: true, cause });
      }
      const answer = await response.text();
      if (response.ok) return;
      const code = /<Code>([^<]+)<\/Code>/.exec(answer)?.[1] ?? 'no code';
      const retryable = RETRYABLE_STATUSES.has(response.status);
      throw new AwsError(`${doing}: S3 answered ${response.status} (${code})`, {
        retryable,
        cause: undefined,
      });
    },
  };
}
