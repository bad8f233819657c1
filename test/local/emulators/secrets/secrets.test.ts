import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { createSecrets } from '#local/emulators/secrets/secrets';
import { handClock } from '#test/local/hand-clock';
import { ask } from '#test/local/ask';

const NAME = 'penstock/dev/orders-api-token';
const ARN = `arn:aws:secretsmanager:us-east-1:000000000000:secret:${NAME}-Local0`;

function open() {
  const clock = handClock(17_000);
  const secrets = createSecrets({ storage: new DatabaseSync(':memory:'), clock });
  secrets.createSecret({ name: NAME, arn: ARN });
  const call = async (operation: string, input: object) => {
    const headers = { 'x-amz-target': `secretsmanager.${operation}` };
    const answer = await ask(secrets, 'POST', '/', { headers, body: JSON.stringify(input) });
    return { status: answer.status, body: JSON.parse(answer.text) };
  };
  return { secrets, call, clock };
}

test('an empty secret has no value, in the words of AWS', async () => {
  expect(await open().call('GetSecretValue', { SecretId: NAME })).toMatchObject({
    status: 400,
    body: {
      __type: 'ResourceNotFoundException',
      Message:
        "Secrets Manager can't find the specified secret value for staging label: AWSCURRENT",
    },
  });
});

test('a secret that does not exist cannot be found', async () => {
  expect((await open().call('GetSecretValue', { SecretId: 'other' })).body).toMatchObject({
    __type: 'ResourceNotFoundException',
    Message: "Secrets Manager can't find the specified secret.",
  });
});

test.each([NAME, ARN, ARN.slice(0, -7)])('a value put is got by %s', async (id) => {
  const { call } = open();
  await call('PutSecretValue', { SecretId: id, SecretString: 't0ken' });
  expect((await call('GetSecretValue', { SecretId: id })).body).toMatchObject({
    ARN,
    Name: NAME,
    SecretString: 't0ken',
    VersionStages: ['AWSCURRENT'],
    CreatedDate: 17,
  });
});

test('the value before is AWSPREVIOUS, and the one before that is gone', async () => {
  const { call } = open();
  for (const value of ['one', 'two', 'three']) {
    await call('PutSecretValue', { SecretId: NAME, SecretString: value });
  }
  const at = async (stage: string) =>
    (await call('GetSecretValue', { SecretId: NAME, VersionStage: stage })).body.SecretString;
  expect([await at('AWSCURRENT'), await at('AWSPREVIOUS')]).toEqual(['three', 'two']);
  const { body } = await call('DescribeSecret', { SecretId: NAME });
  expect(Object.values(body.VersionIdsToStages)).toEqual([['AWSPREVIOUS'], ['AWSCURRENT']]);
});

test('a put repeated with its token changes nothing, and with another value is refused', async () => {
  const { call } = open();
  const token = '11111111-2222-3333-4444-555555555555';
  const put = (value: string) =>
    call('PutSecretValue', { SecretId: NAME, SecretString: value, ClientRequestToken: token });
  expect((await put('one')).body.VersionId).toBe(token);
  expect((await put('one')).status).toBe(200);
  expect((await put('two')).body.__type).toBe('ResourceExistsException');
});

test('a put without a value is refused', async () => {
  const { body } = await open().call('PutSecretValue', { SecretId: NAME });
  expect(body.__type).toBe('InvalidParameterException');
});

test('a list names every secret and no value', async () => {
  const { call, secrets } = open();
  secrets.createSecret({ name: 'another', arn: 'arn:another-Local0', value: 'hidden' });
  const { body } = await call('ListSecrets', {});
  expect(body.SecretList.map((secret: { Name: string }) => secret.Name)).toEqual(['another', NAME]);
  expect(JSON.stringify(body)).not.toContain('hidden');
});

test('creating a secret again keeps its value', async () => {
  const { call, secrets } = open();
  await call('PutSecretValue', { SecretId: NAME, SecretString: 'kept' });
  secrets.createSecret({ name: NAME, arn: ARN });
  expect((await call('GetSecretValue', { SecretId: NAME })).body.SecretString).toBe('kept');
});

test('binary values come back as they were put', async () => {
  const { call } = open();
  await call('PutSecretValue', { SecretId: NAME, SecretBinary: 'AAEC' });
  expect((await call('GetSecretValue', { SecretId: NAME })).body.SecretBinary).toBe('AAEC');
});

test.each([
  ['RotateSecret', '{}', 'UnknownOperationException'],
  ['GetSecretValue', '{', 'SerializationException'],
  ['GetSecretValue', '{}', 'ValidationException'],
])('%s with %s is %s', async (operation, body, type) => {
  const headers = { 'x-amz-target': `secretsmanager.${operation}` };
  const answer = await ask(open().secrets, 'POST', '/', { headers, body });
  expect([answer.status, JSON.parse(answer.text).__type]).toEqual([400, type]);
});
