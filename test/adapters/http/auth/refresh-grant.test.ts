import { describe, expect, test } from 'vitest';
import { AwsError } from '#adapters/aws/aws-error';
import { tokenEndpoint } from '#adapters/http/auth/token-endpoint';
import type { Credentials } from '#adapters/http/auth/authorize';
import { bearerIn, refreshWorld, SECRET_NAME } from './refresh-world.ts';
import { answerJson, tokenServer } from './token-server.ts';

/** A token endpoint on the wire. */
async function onTheWire(...[answer]: Parameters<typeof tokenServer>) {
  const world = refreshWorld();
  const server = await tokenServer(answer);
  const client = { tokenUrl: server.url, clientId: 'app', clientIn: 'body' } as const;
  const ask = tokenEndpoint(client, { clock: world.clock });
  const first = world.server.newest();
  const token = world.open({}, ask).token;
  return { ...world, asked: server.asked, token, first, close: server.close };
}

describe('a refresh token', () => {
  test('is sent with the id and the secret, and the one that follows it is stored before all else', async () => {
    const { asked, token, first, stored, clock, close } = await onTheWire((response) =>
      answerJson(response, 200, { access_token: 'a1', expires_in: 600, refresh_token: 'r1' }),
    );
    const bornAtMs = clock.nowMs();
    expect(await token()).toBe('a1');
    const form = { grant_type: 'refresh_token', refresh_token: first };
    expect(asked).toEqual([
      { authorization: undefined, form: { ...form, client_id: 'app', client_secret: 'c' } },
    ]);
    expect(stored()).toEqual({
      clientSecret: 'c',
      refreshToken: 'r1',
      accessToken: 'a1',
      bornAtMs,
      expiresAtMs: bornAtMs + 600_000,
      spentUntilMs: bornAtMs + 1_200_000,
      after: 'put-0',
    });
    await close();
  });

  test('of a public client is sent with its id alone', async () => {
    const { asked, token, secret, close } = await onTheWire((response) =>
      answerJson(response, 200, { access_token: 'a1' }),
    );
    secret.put('{"refreshToken":"r0"}');
    await token();
    const form = { grant_type: 'refresh_token', refresh_token: 'r0', client_id: 'app' };
    expect(asked).toEqual([{ authorization: undefined, form }]);
    await close();
  });

  test.each([undefined, null, '', 7, 'line\nbreak'])(
    'that is answered as %j stays what it was, and nothing is stored',
    async (refresh_token) => {
      const { token, secret, close } = await onTheWire((response) =>
        answerJson(response, 200, { access_token: 'a1', refresh_token }),
      );
      const before = secret.text();
      expect(await token()).toBe('a1');
      expect(secret.text()).toBe(before);
      await close();
    },
  );

  test('that is refused is named by its secret, and what is to be done', async () => {
    const { token, close } = await onTheWire((response) =>
      answerJson(response, 400, { error: 'invalid_grant', error_description: 'refresh-1-0' }),
    );
    expect(await token()).toEqual({
      kind: 'refused',
      detail:
        'the refresh token was refused (invalid_grant): it was revoked, has expired, or was used ' +
        `elsewhere: put a new one into the secret ${SECRET_NAME}`,
    });
    await close();
  });

  test.each(['r0', '{}', '{"refreshToken":""}', '{"refreshToken":"r","clientSecret":7}'])(
    'cannot be read from %s, and nobody is asked',
    async (text) => {
      const { secret, open, server } = refreshWorld();
      secret.put(text);
      await expect(open().token()).rejects.toMatchObject({
        message: `the secret ${SECRET_NAME} must be JSON such as {"clientSecret":"…","refreshToken":"…"}`,
        retryable: false,
      });
      expect(server.count()).toBe(0);
    },
  );
});

describe('an access token', () => {
  test('is one for all functions, until nine tenths of its life are over', async () => {
    const { open, server, clock } = refreshWorld({ lifeMs: 600_000 });
    const first = await open().token();
    clock.advance(539_999);
    expect(await open().token()).toBe(first);
    expect(server.count()).toBe(1);
    clock.advance(1);
    const second = await open().token();
    expect([second === first, server.count()]).toEqual([false, 2]);
  });

  test('that was refused is looked up in the secret first: another may have refreshed it', async () => {
    const { open, server } = refreshWorld();
    const [one, other] = [open(), open()];
    const ofOne = (await one.ask()) as Credentials;
    const ofOther = (await other.ask()) as Credentials;
    server.revoke(bearerIn(ofOne));
    const next = await other.token(ofOther);
    expect([server.accepts(String(next)), server.count()]).toEqual([true, 2]);
    expect(await one.token(ofOne)).toBe(next);
    expect(server.count()).toBe(2);
  });

  test('that is good is shown on while another function refreshes', async () => {
    const { open, server, turns, clock } = refreshWorld({ lifeMs: 600_000 });
    const first = await open().token();
    clock.advance(560_000);
    const ask = { name: SECRET_NAME, nowMs: clock.nowMs(), lengthMs: 30_000 };
    await turns.take(ask);
    expect(await open().token()).toBe(first);
    expect([server.count(), clock.slept]).toEqual([1, []]);
  });

  test('that is over is waited for, and not shown', async () => {
    const { open, server, turns, clock } = refreshWorld();
    await turns.take({ name: SECRET_NAME, nowMs: clock.nowMs(), lengthMs: 1_200 });
    const token = await open().token();
    expect([server.accepts(String(token)), clock.slept]).toEqual([true, [500, 500, 500]]);
  });

  test('that ran out in a wait is replaced before the next page', async () => {
    const { open, server, clock } = refreshWorld({ lifeMs: 60_000 });
    const { token } = open();
    await token();
    clock.advance(61_000);
    expect(server.accepts(String(await token()))).toBe(true);
  });
});

test('a source that refuses every token costs no more of them than the secret bears', async () => {
  const { open, server, stored } = refreshWorld();
  const { ask } = open();
  let shown = await ask();
  for (let count = 0; count < 20; count++) {
    expect(shown.kind).toBe('credentials');
    shown = await ask(shown as Credentials);
  }
  expect(shown).toEqual({
    kind: 'unavailable',
    detail:
      'the access token is refreshed again in 20 minutes: each refresh leaves a version of the secret, of which ' +
      'a day bears a hundred; let the token endpoint issue tokens that live longer',
  });
  expect([server.count(), stored()['refreshToken']]).toEqual([20, server.newest()]);
});

describe('a function', () => {
  test('that has little time left does not begin', async () => {
    const { open, server, begun } = refreshWorld();
    expect(await open({ remainingMs: () => 14_999 }).token()).toEqual({
      kind: 'unavailable',
      detail: 'too little time is left to refresh the access token: the next poll does it',
    });
    expect(server.count()).toBe(0);
    expect(await open({ remainingMs: () => 15_000 }).token()).toMatch(/^access/);
    expect(begun).toHaveLength(2);
  });

  test('that cannot store tries on for as long as its turn lasts, and again when it is asked next', async () => {
    const { open, secret, server, clock, stored } = refreshWorld();
    let isDown = true;
    const down = new AwsError('Secrets Manager did not answer', { retryable: true, cause: 1 });
    const { token } = open({
      secret: {
        ...secret,
        write: async (next) => (isDown ? Promise.reject(down) : secret.write(next)),
      },
    });
    await expect(token()).rejects.toThrow(down);
    expect(clock.slept.length * 500).toBe(30_000);
    isDown = false;
    expect(await token()).toMatch(/^access/);
    expect([server.count(), stored()['refreshToken']]).toEqual([1, server.newest()]);
  });

  test('that may not store says so at once', async () => {
    const { open, secret, clock } = refreshWorld();
    const denied = new AwsError('AccessDenied', { retryable: false, cause: undefined });
    const { token } = open({ secret: { ...secret, write: () => Promise.reject(denied) } });
    await expect(token()).rejects.toThrow(denied);
    expect(clock.slept).toEqual([]);
  });

  test('that died after it wrote a token costs nothing', async () => {
    const { open, secret, server, clock } = refreshWorld();
    const never = () => new Promise<never>(() => undefined);
    void open({ secret: { ...secret, replace: never } }).token();
    // Its write is done before whoever comes next asks for the turn.
    await new Promise(setImmediate);
    clock.advance(30_000);
    expect(server.accepts(String(await open().token()))).toBe(true);
    expect(server.count()).toBe(1);
  });

  test('that cannot read what one before it left, leaves it for the next', async () => {
    const { open, secret, server, clock } = refreshWorld();
    const never = () => new Promise<never>(() => undefined);
    void open({ secret: { ...secret, replace: never } }).token();
    await new Promise(setImmediate);
    clock.advance(30_000);
    const read: typeof secret.read = (which) =>
      which === 'next' ? Promise.reject(new Error('down')) : secret.read(which);
    await expect(open({ secret: { ...secret, read } }).token()).rejects.toThrow('down');
    expect(server.accepts(String(await open().token()))).toBe(true);
  });

  test('that died before it wrote one costs a strict server’s whole family, and a person is told', async () => {
    const { open, secret, server, clock } = refreshWorld();
    const never = () => new Promise<never>(() => undefined);
    void open({ secret: { ...secret, write: never } }).token();
    await new Promise(setImmediate);
    clock.advance(30_000);
    expect(await open().token()).toMatchObject({ kind: 'refused' });
    expect(server.newest()).toBeUndefined();
    secret.put(JSON.stringify({ refreshToken: server.consent() }));
    expect(server.accepts(String(await open().token()))).toBe(true);
  });

  test('that died before it wrote one costs nothing where the server lets the old one work once more', async () => {
    const { open, secret, server, clock } = refreshWorld({ graceMs: 45_000 });
    const never = () => new Promise<never>(() => undefined);
    void open({ secret: { ...secret, write: never } }).token();
    await new Promise(setImmediate);
    clock.advance(30_000);
    expect(server.accepts(String(await open().token()))).toBe(true);
  });
});
