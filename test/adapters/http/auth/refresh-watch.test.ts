import { expect, test } from 'vitest';
import { refreshWatch } from '#adapters/http/auth/refresh-watch';

test('a call ends no earlier than what it has begun, be it done or failed', async () => {
  const { ofGrant, until } = refreshWatch();
  const { promise, reject } = Promise.withResolvers<void>();
  let isEnded = false;
  const call = until(
    () => 50_000,
    async () => {
      ofGrant.onBegun(promise);
      ofGrant.onBegun(Promise.resolve());
      return 'done';
    },
  ).finally(() => (isEnded = true));
  await new Promise(setImmediate);
  expect(isEnded).toBe(false);
  reject(new Error('not stored'));
  expect(await call).toBe('done');
});

test('the time that is left is that of the call under way', async () => {
  const { ofGrant, until } = refreshWatch();
  expect(ofGrant.remainingMs()).toBe(Infinity);
  for (const leftMs of [31_000, 7_000]) {
    await until(
      () => leftMs,
      async () => expect(ofGrant.remainingMs()).toBe(leftMs),
    );
  }
});
