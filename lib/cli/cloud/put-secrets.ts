/** Gives secrets their values, as an operator does after the first deployment. */
import type { SignedFetch } from '#adapters/aws/signed-fetch';
import { CliError } from '#cli/cli-error';
import { connect } from '#cli/connection';
import type { SecretValue } from './settings.ts';

/** LocalStack answers one request at a time, and has much to do after a deployment. */
const TIMEOUT_MS = 60_000;

export async function putSecrets(
  send: SignedFetch,
  secrets: readonly SecretValue[],
): Promise<void> {
  for (const { name, value, versionId } of secrets) {
    const answer = await send({
      method: 'POST',
      path: '/',
      headers: {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': 'secretsmanager.PutSecretValue',
      },
      body: JSON.stringify({
        SecretId: name,
        SecretString: value,
        ClientRequestToken: versionId ?? crypto.randomUUID(),
      }),
      timeoutMs: TIMEOUT_MS,
    });
    await answer.arrayBuffer();
    if (!answer.ok)
      throw new CliError(`The secret ${name} cannot be given its value (${answer.status}).`);
  }
}

/** Put them before the first poll looks for them. */
export async function giveSecrets(
  endpoint: string,
  secrets: readonly SecretValue[],
): Promise<void> {
  const connection = connect(endpoint, {});
  try {
    await putSecrets(await connection.signed('secretsmanager'), secrets);
  } finally {
    connection.close();
  }
}
