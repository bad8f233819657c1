/** Reads a secret's text from Secrets Manager with one signed request. */
import { AwsError } from '#adapters/aws/aws-error';
import type { SignedFetch } from '#adapters/aws/signed-fetch';

const TIMEOUT_MS = 5_000;

/** A token stands in a header as it is; a text may hold any character. */
export type SecretForm = 'token' | 'text';

export type SecretReader = (ask: { readonly fresh: boolean }) => Promise<string>;

/**
 * Make a reader that remembers the secret until it is asked for a fresh one.
 *
 * @param form what the secret must be; a token unless said.
 * @throws {AwsError} from the reader: one sentence that says what to do, and never the secret.
 */
export function secretReader(
  send: SignedFetch,
  secretId: string,
  form: SecretForm = 'token',
): SecretReader {
  let known: Promise<string> | undefined;
  return ({ fresh }) => {
    if (fresh || known === undefined) {
      known = readSecret(send, secretId, form);
      // A failure is not remembered: the secret may be put a minute later.
      known.catch(() => (known = undefined));
    }
    return known;
  };
}

async function readSecret(send: SignedFetch, secretId: string, form: SecretForm): Promise<string> {
  const response = await send({
    method: 'POST',
    path: '/',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': 'secretsmanager.GetSecretValue',
    },
    body: JSON.stringify({ SecretId: secretId }),
    timeoutMs: TIMEOUT_MS,
  }).catch((cause: unknown) => {
    throw failure(secretId, 'Secrets Manager did not answer', { retryable: true, cause });
  });
  const answer = (await response.json().catch(() => ({}))) as {
    readonly SecretString?: unknown;
    readonly __type?: unknown;
  };
  if (response.ok) {
    const secret = typeof answer.SecretString === 'string' ? answer.SecretString.trim() : '';
    if (secret === '') throw empty(secretId);
    if (form === 'token' && /[^\x21-\x7e]/.test(secret)) {
      const what = 'it holds a space, a line break or another character that no token may hold';
      throw failure(secretId, what, { retryable: false, cause: undefined });
    }
    return secret;
  }
  const code =
    typeof answer.__type === 'string'
      ? answer.__type.replace(/^.*#/, '')
      : `status ${response.status}`;
  // A secret that has never been given a value is answered like one that does not exist.
  if (code === 'ResourceNotFoundException') throw empty(secretId);
  const retryable = response.status >= 500 || code === 'ThrottlingException';
  throw failure(secretId, `Secrets Manager answered ${code}`, { retryable, cause: undefined });
}

function empty(secretId: string): AwsError {
  const put = `aws secretsmanager put-secret-value --secret-id ${secretId} --secret-string …`;
  return failure(secretId, `it is missing or empty; put it with \`${put}\``, {
    retryable: false,
    cause: undefined,
  });
}

function failure(
  secretId: string,
  what: string,
  verdict: { retryable: boolean; cause: unknown },
): AwsError {
  return new AwsError(`the secret ${secretId} cannot be read: ${what}`, verdict);
}
