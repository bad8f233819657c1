/** One signed request to Secrets Manager. */
import { AwsError } from '#adapters/aws/aws-error';
import type { SignedFetch } from '#adapters/aws/signed-fetch';

const TIMEOUT_MS = 5_000;

export type SecretsAnswer =
  | { readonly kind: 'done'; readonly members: Readonly<Record<string, unknown>> }
  /** By its name, as `ResourceNotFoundException`; else by its status. */
  | { readonly kind: 'refused'; readonly code: string; readonly retryable: boolean };

/**
 * @param what of the secret goes wrong where nothing answers: `the secret x cannot be read`.
 * @throws {AwsError} when nothing answers, in one sentence.
 */
export async function askSecrets(
  send: SignedFetch,
  { operation, input, what }: { operation: string; input: object; what: string },
): Promise<SecretsAnswer> {
  const response = await send({
    method: 'POST',
    path: '/',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': `secretsmanager.${operation}`,
    },
    body: JSON.stringify(input),
    timeoutMs: TIMEOUT_MS,
  }).catch((cause: unknown) => {
    throw new AwsError(`${what}: Secrets Manager did not answer`, { retryable: true, cause });
  });
  const members = (await response.json().catch(() => ({}))) as Readonly<Record<string, unknown>>;
  if (response.ok) return { kind: 'done', members };
  const { __type: type } = members;
  const code = typeof type === 'string' ? type.replace(/^.*#/, '') : `status ${response.status}`;
  const retryable = response.status >= 500 || code === 'ThrottlingException';
  return { kind: 'refused', code, retryable };
}

/** @param what went wrong, as above. */
export function refusedError(
  what: string,
  { code, retryable }: Extract<SecretsAnswer, { kind: 'refused' }>,
): AwsError {
  return new AwsError(`${what}: Secrets Manager answered ${code}`, {
    retryable,
    cause: undefined,
  });
}
