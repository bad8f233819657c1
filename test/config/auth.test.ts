import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { authSecret, requiredSecrets, requiredSettings } from '#config/required-settings';
import { faultsOf, settingsOf, ticketsInput } from '#test/config/pipeline-input';

const KEY = { kind: 'api-key', secret: 'tickets-key', header: 'X-Api-Key' };
const IN_QUERY = { kind: 'api-key', secret: 'tickets-key', param: 'api_key' };
const LOGIN = { kind: 'basic', secret: 'tickets-login' };
const CLIENT = {
  kind: 'oauth2',
  tokenUrl: { env: 'TICKETS_TOKEN_URL' },
  clientId: { env: 'TICKETS_CLIENT', default: 'penstock' },
  secret: 'tickets-client',
};
const WHOLE = { ...CLIENT, scope: 'read', audience: { env: 'TICKETS_AUDIENCE' } };

const withAuth = (auth: unknown, over: object = {}) => {
  const input = ticketsInput();
  return { ...input, source: { ...input.source, ...over, auth } };
};
const authFaults = (auth: unknown, over?: object) => faultsOf(withAuth(auth, over));
const authOf = (auth: unknown) => settingsOf(withAuth(auth)).source.auth;

describe('what is left out has a default', () => {
  test('nothing stands before a key', () => {
    expect(authOf(KEY)).toEqual({ ...KEY, prefix: '', refetchOn: [401] });
    expect(authOf(IN_QUERY)).toEqual({ ...IN_QUERY, prefix: '', refetchOn: [401] });
  });

  test('a client is named in the body', () => {
    const defaults = { grant: 'client-credentials', clientIn: 'body', refetchOn: [401] };
    expect(authOf(WHOLE)).toEqual({ ...WHOLE, ...defaults });
  });
});

test.each([
  ['none', { kind: 'none' }, undefined],
  ['bearer', { kind: 'bearer', secret: 'tickets-token' }, 'tickets-token'],
  ['api-key', KEY, 'tickets-key'],
  ['basic', LOGIN, 'tickets-login'],
  ['oauth2', CLIENT, 'tickets-client'],
])('the secret of %s is asked for where the pipeline runs', (_kind, auth, secret) => {
  const settings = settingsOf(withAuth(auth));
  expect(authSecret(settings.source.auth)).toBe(secret);
  expect(requiredSecrets(settings)).toEqual(secret === undefined ? [] : [secret]);
});

test('the settings of a client are asked for beside those of its source', () => {
  const settings = settingsOf(withAuth({ ...WHOLE, scope: { env: 'TICKETS_SCOPE' } }));
  expect(requiredSettings(settings)).toEqual([
    { env: 'TICKETS_API_URL' },
    { env: 'TICKETS_TOKEN_URL' },
    { env: 'TICKETS_CLIENT', default: 'penstock' },
    { env: 'TICKETS_SCOPE' },
    { env: 'TICKETS_AUDIENCE' },
    { env: 'TICKETS_TEAM', default: 'all' },
  ]);
});

describe('a wrong value is a sentence that begins with its path', () => {
  test.each<[object, string, unknown, string]>([
    [KEY, 'header', undefined, ': must name the header or the param of the key'],
    [KEY, 'param', 'api_key', ': takes header or param, not both'],
    [KEY, 'header', 'X Api Key', ".header: must be a header's name such as 'X-Api-Key'"],
    [KEY, 'header', 'Host', '.header: is a header that every request sets itself'],
    [KEY, 'header', 'content-type', '.header: is a header that every request sets itself'],
    [KEY, 'prefix', 'Tok\n', '.prefix: must be plain ASCII text'],
    [IN_QUERY, 'prefix', 'Token ', '.prefix: stands in a header: name one'],
    [IN_QUERY, 'param', '', '.param: must name a query parameter'],
    [KEY, 'secret', 'X', '.secret: must be a–z, 0–9 and hyphens, a letter first'],
    [LOGIN, 'secret', undefined, '.secret: is missing'],
    [LOGIN, 'user', 'ada', '.user: unknown key; valid here: kind, secret, refetchOn'],
    [LOGIN, 'refetchOn', [200], '.refetchOn[0]: must be at least 400'],
    [KEY, 'refetchOn', [401, 429], '.refetchOn[1]: asks to come again, and refuses nobody'],
    [CLIENT, 'grant', 'password', ".grant: must be 'client-credentials' or 'refresh-token'"],
    [CLIENT, 'tokenUrl', 'oauth/token', '.tokenUrl: must be an absolute URL'],
    [CLIENT, 'tokenUrl', 'https://a:b@c/', '.tokenUrl: must hold no user name or password'],
    [CLIENT, 'tokenUrl', undefined, '.tokenUrl: is missing'],
    [CLIENT, 'clientId', '', '.clientId: must not be empty'],
    [CLIENT, 'scope', '', '.scope: must not be empty'],
    [CLIENT, 'clientIn', 'query', ".clientIn: must be 'body' or 'header'"],
    [CLIENT, 'tokenurl', 'x', ".tokenurl: unknown key; did you mean 'tokenUrl'?"],
  ])('%j with %s %j', (auth, key, value, sentence) => {
    expect(authFaults({ ...auth, [key]: value })).toEqual([`source.auth${sentence}`]);
  });

  test('a misspelt place of a key is told by the one that was meant', () => {
    const { header: _, ...rest } = KEY;
    expect(authFaults({ ...rest, parm: 'k' })).toEqual([
      "source.auth.parm: unknown key; did you mean 'param'?",
    ]);
  });

  test('a poll too short to replace a refresh token is told what it takes', () => {
    const auth = { ...CLIENT, grant: 'refresh-token' };
    const faults = (timeoutSec: number, shown: object) =>
      faultsOf({ ...withAuth(shown, { timeoutSec: 9 }), poll: { timeoutSec } });
    expect(faults(29, auth)).toEqual([
      'poll.timeoutSec: must be at least 30 where a refresh token is to be replaced',
    ]);
    expect(faults(30, auth)).toEqual([]);
    expect(faults(10, CLIENT)).toEqual([]);
  });

  test('two defaults of one variable contradict each other', () => {
    const query = { client: { env: 'TICKETS_CLIENT', default: 'another' } };
    expect(authFaults(CLIENT, { query })).toEqual([
      'source.query.client.default: TICKETS_CLIENT already has another default in this file',
    ]);
  });
});

describe('the parameter of a key', () => {
  test.each([
    ['after', 'source.pagination.param'],
    ['since', 'source.incremental.param'],
    ['size', 'source.pageSize.param'],
    ['sort', 'source.query'],
    ['v', 'source.url'],
  ])('%s stands in %s as well, and is refused', (param, taker) => {
    const url = 'https://api.example.com/tickets?v=2';
    expect(authFaults({ ...IN_QUERY, param }, { url })).toEqual([
      `source.auth.param: '${param}' stands in ${taker} as well`,
    ]);
  });

  test('stands in a first request as well, and is refused', () => {
    const pagination = { kind: 'link', first: { api_key: '1' } };
    expect(authFaults(IN_QUERY, { pagination })).toEqual([
      "source.auth.param: 'api_key' stands in source.pagination.first as well",
    ]);
  });

  test('that is nobody else’s is taken', () => {
    expect(authFaults(IN_QUERY)).toEqual([]);
  });
});

test('every field that holds anything else is refused with its path', () => {
  const fields = [KEY, IN_QUERY, LOGIN, WHOLE].flatMap((auth) =>
    Object.keys(auth).map((key) => ({ auth, key })),
  );
  const wrong = fc.constantFrom<unknown>(7, true, ['x'], null, Symbol('s'));
  fc.assert(
    fc.property(fc.constantFrom(...fields), wrong, ({ auth, key }, value) => {
      const faults = authFaults({ ...auth, [key]: value });
      expect(faults).toHaveLength(1);
      expect(faults[0]).toMatch(new RegExp(`^source\\.auth\\.${key}: must be `));
    }),
  );
});
