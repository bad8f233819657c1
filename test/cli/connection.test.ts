import { expect, test } from 'vitest';
import { endpointOf } from '#cli/choose-cloud';
import { connect } from '#cli/connection';

const credentials = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'secret' };

test('an address needs no credentials and no region: a cloud of one’s own checks neither', async () => {
  const connection = connect('http://127.0.0.1:4599/', {});
  expect(connection.place).toBe('http://127.0.0.1:4599');
  expect(await connection.kinesis.config.region()).toBe('us-east-1');
  expect(await connection.dynamodb.config.credentials()).toMatchObject({ accessKeyId: 'local' });
  connection.close();
});

test('an address is spoken to with the environment’s credentials where there are any', async () => {
  const env = { ...credentials, AWS_SESSION_TOKEN: 'token', AWS_REGION: 'eu-central-1' };
  const connection = connect('http://127.0.0.1:4599', env);
  expect(await connection.kinesis.config.region()).toBe('eu-central-1');
  expect(await connection.dynamodb.config.credentials()).toMatchObject({
    accessKeyId: 'AKIDEXAMPLE',
    secretAccessKey: 'secret',
    sessionToken: 'token',
  });
  connection.close();
});

test('AWS itself is spoken to in the environment’s region, without an address', () => {
  const connection = connect('aws', { ...credentials, AWS_REGION: 'ap-southeast-2' });
  expect(connection.place).toBe('AWS ap-southeast-2');
  connection.close();
});

test.each([
  ['local', {}, 'http://127.0.0.1:4599'],
  ['local', { AWS_ENDPOINT_URL: 'http://127.0.0.1:40123/' }, 'http://127.0.0.1:40123'],
  ['localstack', { AWS_ENDPOINT_URL: 'http://127.0.0.1:40123' }, 'http://127.0.0.1:4566'],
  ['http://cloud.test:1/', {}, 'http://cloud.test:1'],
  ['aws', { AWS_ENDPOINT_URL: 'http://127.0.0.1:40123' }, undefined],
])('--cloud %s with %j is %s', (cloud, env, endpoint) => {
  expect(endpointOf(cloud, env)).toBe(endpoint);
});

test('an AWS_ENDPOINT_URL that is no address is named as what it is', () => {
  expect(() => endpointOf('local', { AWS_ENDPOINT_URL: 'localhost:4599' })).toThrow(
    "AWS_ENDPOINT_URL must be an address such as http://127.0.0.1:4599, not 'localhost:4599'.",
  );
});

test('AWS itself is spoken to although the shell names another cloud', async () => {
  const env = {
    ...credentials,
    AWS_REGION: 'eu-central-1',
    AWS_ENDPOINT_URL: 'http://127.0.0.1:9',
  };
  const connection = connect('aws', env);
  expect(connection.kinesis.config.ignoreConfiguredEndpointUrls).toBe(true);
  connection.close();
});
