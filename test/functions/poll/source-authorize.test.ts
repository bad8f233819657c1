import { afterAll, beforeAll, expect, test } from 'vitest';
import { memoryTurns } from '#adapters/memory/turns';
import { memorySecret } from '#adapters/memory/versioned-secret';
import type { SecretForm } from '#adapters/secrets/secret-reader';
import type { SourceAuth } from '#config/pipeline-settings';
import { sourceAuthorize } from '#functions/poll/source-authorize';
import { answerJson, tokenServer } from '#test/adapters/http/auth/token-server';
import type { TokenServer } from '#test/adapters/http/auth/token-server';
import { testClock } from '#test/pipeline/poll-world';

const SECRETS: Readonly<Record<SecretForm, string>> = {
  token: 'k-3f9c',
  text: '{ "username": "ada", "password": "two words" }',
};

let endpoint: TokenServer;
let env: Record<string, string>;
beforeAll(async () => {
  endpoint = await tokenServer((response) => answerJson(response, 200, { access_token: 't0' }));
  env = { TOKEN_URL: endpoint.url, AUDIENCE: 'https://api.example' };
});
afterAll(() => endpoint.close());

async function shown(auth: SourceAuth) {
  const openSecret = (form: SecretForm) => async () => SECRETS[form];
  const authorize = sourceAuthorize(auth, { openSecret, env, clock: testClock() });
  const { signal } = new AbortController();
  return authorize === undefined ? undefined : authorize({ signal });
}

test.each<[SourceAuth, object]>([
  [
    { kind: 'bearer', secret: 'x', refetchOn: [401] },
    { headers: { authorization: 'Bearer k-3f9c' }, params: {} },
  ],
  [
    { kind: 'api-key', secret: 'x', header: 'X-Key', prefix: 'Token ', refetchOn: [401] },
    { headers: { 'X-Key': 'Token k-3f9c' }, params: {} },
  ],
  [
    { kind: 'api-key', secret: 'x', param: 'key', prefix: '', refetchOn: [401] },
    { headers: {}, params: { key: 'k-3f9c' } },
  ],
  [
    { kind: 'basic', secret: 'x', refetchOn: [401] },
    { headers: { authorization: `Basic ${btoa('ada:two words')}` }, params: {} },
  ],
])('%j shows its secret', async (auth, credentials) => {
  expect(await shown(auth)).toEqual({ kind: 'credentials', ...credentials });
});

const CLIENT: SourceAuth = {
  kind: 'oauth2',
  secret: 'x',
  tokenUrl: { env: 'TOKEN_URL' },
  clientId: { env: 'CLIENT_ID', default: 'penstock' },
  scope: 'read',
  audience: { env: 'AUDIENCE' },
  grant: 'client-credentials',
  clientIn: 'body',
  refetchOn: [401],
};

test('a client asks with the settings of where it runs', async () => {
  expect(await shown(CLIENT)).toMatchObject({ headers: { authorization: 'Bearer t0' } });
  expect(endpoint.asked.map(({ form }) => form)).toEqual([
    {
      grant_type: 'client_credentials',
      client_id: 'penstock',
      client_secret: 'k-3f9c',
      scope: 'read',
      audience: 'https://api.example',
    },
  ]);
});

test('a refresh token is used where the next can be stored; else the access token beside it is shown', async () => {
  const auth: SourceAuth = { ...CLIENT, grant: 'refresh-token' };
  const secret = memorySecret('{"refreshToken":"r0","accessToken":"a0"}');
  const clock = testClock();
  const openSecret = () => async () => secret.text();
  const { signal } = new AbortController();
  const held = await sourceAuthorize(auth, { openSecret, env, clock })!({ signal });
  expect(held).toMatchObject({ headers: { authorization: 'Bearer a0' } });
  const openGrant = () => ({
    secret,
    secretName: 'penstock/dev/x',
    turns: memoryTurns(),
    clock,
    newId: () => 'one',
    remainingMs: () => 60_000,
    onBegun: () => undefined,
  });
  const fetched = await sourceAuthorize(auth, { openSecret, openGrant, env, clock })!({ signal });
  expect(fetched).toMatchObject({ headers: { authorization: 'Bearer t0' } });
  expect(endpoint.asked.at(-1)!.form).toMatchObject({
    grant_type: 'refresh_token',
    refresh_token: 'r0',
    client_id: 'penstock',
  });
});

test('a client without a setting, or with a useless one, does not start, and names the variable', async () => {
  env = { ...env, TOKEN_URL: '' };
  await expect(shown(CLIENT)).rejects.toThrow(/^TOKEN_URL is not set/);
  env = { ...env, TOKEN_URL: 'nonsense' };
  await expect(shown(CLIENT)).rejects.toThrow(/^TOKEN_URL is not a URL$/);
});

test('a source without credentials shows none', async () => {
  expect(await shown({ kind: 'none' })).toBeUndefined();
});
