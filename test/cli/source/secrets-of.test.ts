import { describe, expect, test } from 'vitest';
import { secretsOf } from '#cli/source/secrets-of';

const refetchOn = [401];
const url = 'https://rows.test/rows';
const basic = (username: string, password: string) =>
  secretsOf({
    auth: { kind: 'basic', secret: 'login', refetchOn },
    secret: JSON.stringify({ username, password }),
    url,
  });

describe('of a login', () => {
  test('the password is a secret, and the pair as a header says it', () => {
    const pair = Buffer.from('records:hunter2hunter2').toString('base64');
    expect(basic('records', 'hunter2hunter2')).toEqual(
      expect.arrayContaining(['hunter2hunter2', pair]),
    );
  });

  test('the user name is none, as records may hold it', () =>
    expect(basic('records', 'hunter2hunter2')).not.toContain('records'));

  test('the user name is one where no password stands beside it', () =>
    expect(basic('key-7f3kQ2', 'X')).toContain('key-7f3kQ2'));
});

test('of two texts the longer comes first, as it may begin with the other', () => {
  const lengths = basic('acme', 'acme-7f3kQ2').map(({ length }) => length);
  expect(lengths).toEqual(lengths.toSorted((one, other) => other - one));
});

test('a token is one without the line end behind it', () => {
  const auth = { kind: 'bearer', secret: 'token', refetchOn } as const;
  expect(secretsOf({ auth, secret: 'tok-9f8e7d\n', url })).toEqual(['tok-9f8e7d']);
});

describe('of a URL', () => {
  const inQuery = (query: string) =>
    secretsOf({ auth: { kind: 'none' }, secret: '', url: `${url}?${query}` });

  test('each parameter is one as a link says it back, and what may be a key by itself', () =>
    expect(inQuery('api_key=9f8e7d6c%2B&format=geojson')).toEqual([
      'api_key=9f8e7d6c%2B',
      'format=geojson',
      '9f8e7d6c+',
    ]));

  test.each(['kind=payments', 'start=2018-01-01T00:00:00Z', 'account=20261231'])(
    'what stands in records is none by itself: %s',
    (query) => expect(inQuery(query)).toEqual([query]),
  );
});

test('a parameter whose value the file does not say is one with its name', () => {
  const params = { token: 'a b' };
  expect(secretsOf({ auth: { kind: 'none' }, secret: '', url, params })).toContain('token=a+b');
});
