/** penstock poll, as the answers of Lambda are told. */
import { expect, test } from 'vitest';
import { renderOutcome } from '#cli/render/outcome';
import { cloudAnswering, said } from './cloud-answering.ts';

const poll = async (status: number, body: string) =>
  said('poll', 'orders', '--cloud', await cloudAnswering(status, body));

test('one that meets another at work says so, and what to do: exit code 1', async () => {
  expect(await poll(429, '{"Reason":"ReservedFunctionConcurrentInvocationLimitExceeded"}')).toEqual(
    {
      code: 1,
      out: '',
      err: 'A poll of orders is at work already: wait for it, or read along with `penstock logs orders --follow`.\n',
    },
  );
});

test('without a function, the stage is asked for', async () => {
  expect(await poll(404, '{"Message":"Function not found"}')).toEqual({
    code: 1,
    out: '',
    err: 'The function penstock-dev-orders-poll is missing: is it deployed in this stage?\n',
  });
});

test('of a paused pipeline it names what lets it poll again: exit code 0', async () => {
  const { code, out } = await poll(200, '{"kind":"paused","sinceMs":0,"reason":"it moves"}');
  expect({ code, out }).toEqual({
    code: 0,
    out: 'orders: paused (since 1970-01-01T00:00:00.000Z, reason it moves): `penstock resume orders` lets it poll again\n',
  });
  expect(renderOutcome('orders', { kind: 'parked' })).toBe('orders: parked');
});
