import { describe, expect, test } from 'vitest';
import type { SignedCall } from '#adapters/aws/signed-fetch';
import { secretReader } from '#adapters/secrets/secret-reader';

const SECRET_ID = 'penstock/dev/orders-api-token';

/** Secrets Manager by script; the last answer is repeated. */
function secrets(...answers: (Response | Error)[]) {
  const calls: SignedCall[] = [];
  const read = secretReader(async (call) => {
    calls.push(call);
    const answer = answers[Math.min(calls.length, answers.length) - 1]!;
    if (answer instanceof Error) throw answer;
    return answer.clone();
  }, SECRET_ID);
  return { read, calls };
}

const json = (status: number, body: object) => new Response(JSON.stringify(body), { status });
const value = (SecretString: string) => json(200, { Name: SECRET_ID, SecretString });

describe('a secret', () => {
  test('is read by name, once, without the line break that an editor left', async () => {
    const { read, calls } = secrets(value('tok-3f9c\n'));
    expect(await read({ fresh: false })).toBe('tok-3f9c');
    expect(await read({ fresh: false })).toBe('tok-3f9c');
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatchObject({
      method: 'POST',
      headers: { 'x-amz-target': 'secretsmanager.GetSecretValue' },
      body: JSON.stringify({ SecretId: SECRET_ID }),
    });
  });

  test('is read again where a fresh one is asked for', async () => {
    const { read } = secrets(value('old'), value('new'));
    await read({ fresh: false });
    expect(await read({ fresh: true })).toBe('new');
    expect(await read({ fresh: false })).toBe('new');
  });

  test.each([
    ['has no value yet', json(400, { __type: 'ResourceNotFoundException', Message: 'AWSCURRENT' })],
    ['is blank', value(' \n')],
    ['is binary', json(200, { SecretBinary: 'AAAA' })],
  ])('that %s is refused with the command that puts it', async (_what, answer) => {
    await expect(secrets(answer).read({ fresh: false })).rejects.toMatchObject({
      retryable: false,
      message:
        `the secret ${SECRET_ID} cannot be read: it is missing or empty; put it with ` +
        `\`aws secretsmanager put-secret-value --secret-id ${SECRET_ID} --secret-string …\``,
    });
  });

  test('that no header may carry is refused, and not quoted', async () => {
    const error = await secrets(value('two\nlines'))
      .read({ fresh: false })
      .catch((e: Error) => e);
    expect(error).toMatchObject({ retryable: false });
    expect(String(error)).not.toContain('two');
  });

  test.each([
    ['AccessDeniedException', json(400, { __type: 'com.amazonaws#AccessDeniedException' }), false],
    ['ThrottlingException', json(400, { __type: 'ThrottlingException' }), true],
    ['status 503', new Response('<html>', { status: 503 }), true],
  ])('that is answered %s says so, and whether to retry', async (code, answer, retryable) => {
    await expect(secrets(answer).read({ fresh: false })).rejects.toMatchObject({
      retryable,
      message: `the secret ${SECRET_ID} cannot be read: Secrets Manager answered ${code}`,
    });
  });

  test('that is a text and no token may hold any character', async () => {
    const login = '{ "username": "ada", "password": "zwölf" }';
    const read = secretReader(async () => value(login), SECRET_ID, 'text');
    expect(await read({ fresh: false })).toBe(login);
  });

  test('is asked for again after a failure', async () => {
    const { read, calls } = secrets(new TypeError('fetch failed'), value('tok'));
    await expect(read({ fresh: false })).rejects.toMatchObject({ retryable: true });
    expect(await read({ fresh: false })).toBe('tok');
    expect(calls).toHaveLength(2);
  });
});
