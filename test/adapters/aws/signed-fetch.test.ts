import { describe, expect, test } from 'vitest';
import { endpointOf, signedFetch } from '#adapters/aws/signed-fetch';
import { scriptedServer } from '#test/adapters/http/scripted-server';

const env = {
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'AKID',
  AWS_SECRET_ACCESS_KEY: 'very-secret',
  AWS_SESSION_TOKEN: 'session',
};

describe('an endpoint', () => {
  const common = 'http://127.0.0.1:4566/';
  test.each([
    [{}, 'eu-central-1', 'https://s3.eu-central-1.amazonaws.com'],
    [{}, 'cn-north-1', 'https://s3.cn-north-1.amazonaws.com.cn'],
    [{}, 'us-gov-west-1', 'https://s3.us-gov-west-1.amazonaws.com'],
    [{ AWS_ENDPOINT_URL: common }, 'eu-central-1', 'http://127.0.0.1:4566'],
    [{ AWS_ENDPOINT_URL: common, AWS_ENDPOINT_URL_S3: 'http://s3.local' }, 'x', 'http://s3.local'],
    [
      { AWS_ENDPOINT_URL: common, AWS_ENDPOINT_URL_SECRETS_MANAGER: 'http://y' },
      'x',
      'http://127.0.0.1:4566',
    ],
  ])('with %j in %s is %s', (more, region, endpoint) =>
    expect(endpointOf('s3', region, more)).toBe(endpoint),
  );
});

test('a call is signed for its service and region, and sent once', async () => {
  const headers: (string | string[] | undefined)[] = [];
  const server = await scriptedServer((response, _at, request) => {
    headers.push(request.headers.authorization, request.headers['x-amz-security-token']);
    response.writeHead(503).end();
  });
  const send = signedFetch('secretsmanager', {
    ...env,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: server.url,
  });
  const response = await send({ method: 'POST', path: '/', body: '{}', timeoutMs: 5_000 });
  expect(response.status).toBe(503);
  expect(server.requests).toHaveLength(1);
  expect(headers[0]).toMatch(
    /^AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/eu-central-1\/secretsmanager\//,
  );
  expect(headers[1]).toBe('session');
  await server.close();
});

test('a redirect is an error: a signature is for one place', async () => {
  const server = await scriptedServer((response) =>
    response.writeHead(301, { location: 'http://elsewhere.test/' }).end(),
  );
  const send = signedFetch('s3', { ...env, AWS_ENDPOINT_URL: server.url });
  await expect(send({ method: 'GET', path: '/b/k', timeoutMs: 5_000 })).rejects.toThrow(TypeError);
  await server.close();
});

test.each(['AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'])(
  'without %s nothing can be sent, and the error says so',
  (name) => expect(() => signedFetch('s3', { ...env, [name]: undefined })).toThrow(name),
);
