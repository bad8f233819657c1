/** Reads a secret's text from Secrets Manager with one signed request. */
import { AwsError } from '#adapters/aws/aws-error';
import type { SignedFetch } from '#adapters/aws/signed-fetch';
import { askSecrets, refusedError } from './ask-secrets.ts';

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
  const what = unreadable(secretId);
  const input = { SecretId: secretId };
  const answer = await askSecrets(send, { operation: 'GetSecretValue', input, what });
  if (answer.kind === 'refused') {
    // A secret that has never been given a value is answered like one that does not exist.
    if (answer.code === 'ResourceNotFoundException') throw emptySecret(secretId);
    throw refusedError(what, answer);
  }
  const { SecretString: text } = answer.members;
  const secret = typeof text === 'string' ? text.trim() : '';
  if (secret === '') throw emptySecret(secretId);
  if (form === 'token' && /[^\x21-\x7e]/.test(secret)) {
    const why = 'it holds a space, a line break or another character that no token may hold';
    throw new AwsError(`${what}: ${why}`, { retryable: false, cause: undefined });
  }
  return secret;
}

/** What begins each sentence on a secret that cannot be read. */
export function unreadable(secretId: string): string {
  return `the secret ${secretId} cannot be read`;
}

export function emptySecret(secretId: string): AwsError {
  const put = `aws secretsmanager put-secret-value --secret-id ${secretId} --secret-string …`;
  return new AwsError(`${unreadable(secretId)}: it is missing or empty; put it with \`${put}\``, {
    retryable: false,
    cause: undefined,
  });
}
