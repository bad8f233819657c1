/** A cloud of secrets, with one that has no value yet. */
import { DatabaseSync } from 'node:sqlite';
import { createSecrets } from '#local/emulators/secrets/secrets';
import { ask } from '#test/local/ask';
import { steppedClock } from '#local/kit/stepped-clock';

export const NAME = 'penstock/dev/orders-api-token';
export const ARN = `arn:aws:secretsmanager:us-east-1:000000000000:secret:${NAME}-Local0`;
export const START_MS = 17_000;

export function secretCloud() {
  const clock = steppedClock(START_MS);
  const secrets = createSecrets({ storage: new DatabaseSync(':memory:'), clock });
  secrets.createSecret({ name: NAME, arn: ARN });
  const call = async (operation: string, input: object) => {
    const headers = { 'x-amz-target': `secretsmanager.${operation}` };
    const answer = await ask(secrets, 'POST', '/', { headers, body: JSON.stringify(input) });
    return { status: answer.status, body: JSON.parse(answer.text) };
  };
  const put = (SecretString: string, more: object = {}) =>
    call('PutSecretValue', { SecretId: NAME, SecretString, ...more });
  const get = async (more: object = {}) =>
    (await call('GetSecretValue', { SecretId: NAME, ...more })).body;
  return { secrets, call, clock, put, get };
}
