import { expect, test } from 'vitest';
import { versionedSecret } from '#adapters/secrets/versioned-secret';
import { CliError } from '#cli/cli-error';
import { putSecrets } from '#cli/cloud/put-secrets';
import { streamOnTheWire } from './stream-on-the-wire.ts';

test('a value that became a version once is not put again over a later one', async () => {
  const cloud = await streamOnTheWire();
  const send = await cloud.connection.signed('secretsmanager');
  const secret = versionedSecret(send, 'penstock/dev/orders-api-token');
  const first = { name: 'penstock/dev/orders-api-token', value: 'r0', versionId: 'a'.repeat(64) };
  await putSecrets(send, [first]);
  await secret.write({ id: 'b'.repeat(36), text: 'r1' });
  expect(await secret.replace(first.versionId, 'b'.repeat(36))).toBe(true);
  await putSecrets(send, [first]);
  expect((await secret.read('current'))?.text).toBe('r1');
  await cloud.close();
});

test('a secret gets its value, and one that is not there is named without it', async () => {
  const cloud = await streamOnTheWire();
  const send = await cloud.connection.signed('secretsmanager');
  await putSecrets(send, [{ name: 'penstock/dev/orders-api-token', value: 'sesame' }]);
  const answer = await send({
    method: 'POST',
    path: '/',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': 'secretsmanager.GetSecretValue',
    },
    body: JSON.stringify({ SecretId: 'penstock/dev/orders-api-token' }),
    timeoutMs: 5_000,
  });
  expect(await answer.json()).toMatchObject({ SecretString: 'sesame' });

  const absent = putSecrets(send, [{ name: 'penstock/dev/absent', value: 'hidden' }]);
  await expect(absent).rejects.toThrow(CliError);
  await expect(absent).rejects.toThrow(
    'The secret penstock/dev/absent cannot be given its value (400).',
  );
  await cloud.close();
});
