import { afterEach, beforeEach, expect, test } from 'vitest';
import { dynamoBreakerStore } from '#adapters/dynamodb/breaker-store';
import type { BreakerStore } from '#ports/breaker-store';
import { streamOnTheWire } from './stream-on-the-wire.ts';
import { runRecorded } from './run-recorded.ts';

const OF = { pipeline: 'orders', consumer: 'orders' };
const TRIP = { reason: 'no-key', refused: 61, received: 1_087 } as const;

let cloud: Awaited<ReturnType<typeof streamOnTheWire>>;
let store: BreakerStore;
beforeEach(async () => {
  cloud = await streamOnTheWire();
  store = dynamoBreakerStore(cloud.connection.dynamodb, { tableName: 'penstock-dev-state' });
});
afterEach(() => cloud.close());

const breaker = (...argv: readonly string[]) =>
  runRecorded(['breaker', ...argv, '--cloud', cloud.endpoint]);

const open = () => store.open(OF, { ...TRIP, sinceMs: Date.now() - 600_000, code: 'c0de' });

test('one that nobody opened is closed', async () => {
  expect(await breaker('show', 'orders')).toEqual({ code: 0, err: '', out: 'orders: closed.\n' });
  expect((await breaker('close', 'orders')).out).toContain('orders: was not open.');
});

test('an open one says since when, why, and what helps', async () => {
  await open();
  const { out } = await breaker('show', 'orders');
  expect(out.split('\n')).toEqual([
    'orders: OPEN for 10 min: 61 of 1,087 records refused (no-key); its shards stand still there.',
    'Deploy what mends it, and it goes on by itself; or, if the records are bad and not the code:',
    'penstock breaker close orders --let-pass 1',
    '',
  ]);
  const [json] = JSON.parse((await breaker('show', 'orders', '--json')).out).consumers;
  expect(json).toMatchObject({ consumer: 'orders', open: { ...TRIP, code: 'c0de' } });
});

test('closed, everything refused passes for as long as was said', async () => {
  await open();
  const beforeMs = Date.now();
  const { out, code } = await breaker('close', 'orders', '--let-pass', '2.5');
  expect(code).toBe(0);
  expect(out).toMatch(/^orders: closed; its shards go on.\nUntil \S+ whatever is refused goes/);
  const { open: left, letUntilMs } = await store.read(OF);
  expect(left).toBe(undefined);
  expect(letUntilMs).toBeGreaterThanOrEqual(beforeMs + 9_000_000);
  expect(letUntilMs).toBeLessThanOrEqual(Date.now() + 9_000_000);
});

test.each(['0', '-1', '169', 'soon', ''])(
  '%j hours are not taken, and nothing is done',
  async (hours) => {
    await open();
    const { code, err } = await breaker('close', 'orders', '--let-pass', hours);
    expect({ code, err }).toEqual({
      code: 2,
      err: `--let-pass takes a number of hours above 0, at most 168, not '${hours}'.\n`,
    });
    expect((await store.read(OF)).open).toMatchObject(TRIP);
  },
);

test('a consumer that is not there is named with those that are', async () => {
  const { code, err } = await breaker('show', 'orders', '--consumer', 'audit');
  expect({ code, err }).toEqual({
    code: 2,
    err: "orders has no consumer 'audit'; there are: orders.\n",
  });
});
