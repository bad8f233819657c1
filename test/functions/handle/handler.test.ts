import { expect, test, vi } from 'vitest';
import { defineHandler } from '#config/define-handler';
import type { HandleRecord } from '#config/define-handler';
import type { PipelineSettings } from '#config/pipeline-settings';
import { handleHandler } from '#functions/handle/handler';
import { batch, context, stubAws } from '#test/functions/stub-aws';
import { eventOf } from '#test/pipeline/consume-world';

const settings = {
  name: 'orders',
  record: { key: 'order_id' },
  consumers: [
    {
      kind: 'handler',
      name: 'mail',
      file: './mail.ts',
      per: 'record',
      environment: { MAIL_URL: 'http://mail.example' },
      secrets: ['mail-token'],
      concurrency: 3,
      batchesPerShard: 1,
      breaker: { percent: 50, recordsMin: 50 },
    },
  ],
} as unknown as PipelineSettings;

const order = (key: string) => JSON.stringify(eventOf({ key, version: 4 }));

async function start(handle: HandleRecord) {
  const calls = await stubAws(({ what }) =>
    what === 'GetSecretValue' ? { status: 200, body: { SecretString: 't0ken' } } : { status: 200 },
  );
  vi.stubEnv('MAIL_URL', 'http://mail.example');
  vi.stubEnv('PENSTOCK_SECRET_PREFIX', 'penstock/dev/');
  vi.stubEnv('PENSTOCK_TABLE', undefined);
  return { calls, handler: handleHandler(settings, 'mail', defineHandler(handle)) };
}

test('a batch is handled, with its secret, and only its place is written', async () => {
  const told: string[] = [];
  const { calls, handler } = await start(async ({ subject }, { secret, environment }) => {
    told.push(`${subject} ${await secret('mail-token')} ${environment['MAIL_URL']}`);
  });
  expect(await handler(batch(order('a'), order('b')), context)).toEqual({ batchItemFailures: [] });
  expect(told.sort()).toEqual(['a t0ken http://mail.example', 'b t0ken http://mail.example']);
  expect(calls.map(({ what }) => what).sort()).toEqual(['GetItem', 'GetSecretValue', 'UpdateItem']);
  expect(calls.find(({ what }) => what === 'GetSecretValue')?.body).toEqual({
    SecretId: 'penstock/dev/mail-token',
  });
});

test('a handler that never answers is cut at half of a short time, and the rest is done', async () => {
  const { handler } = await start(({ subject }, { signal }) =>
    subject === 'a'
      ? new Promise((_, fail) => signal.addEventListener('abort', () => fail(new Error('cut'))))
      : Promise.resolve(),
  );
  const short = { ...context, getRemainingTimeInMillis: () => 4_000 };
  expect(await handler(batch(order('b'), order('a')), short)).toEqual({
    batchItemFailures: [{ itemIdentifier: '10' }],
  });
});

test.each(['MAIL_URL', 'PENSTOCK_SECRET_PREFIX', 'PENSTOCK_CODE'])(
  'without %s the function says so and does not start',
  async (name) => {
    await start(async () => {});
    vi.stubEnv(name, undefined);
    expect(() =>
      handleHandler(
        settings,
        'mail',
        defineHandler(async () => {}),
      ),
    ).toThrow(`${name} is not set: the template should set it`);
  },
);

test('a handler that its pipeline does not have is a defect', async () => {
  await stubAws(() => ({ status: 200 }));
  expect(() => handleHandler(settings, 'other', undefined)).toThrow(/a handler of its pipeline/);
});
