/** A replay of the whole product: over a split and a merge, ended in the middle, and run again. */
import { expect, test } from 'vitest';
import { consumingCloud } from './consuming-cloud.ts';
import type { ConsumingCloud } from './consuming-cloud.ts';

const KEYS = Array.from({ length: 40 }, (_, at) => `order-${at}`);

/** Five versions of forty keys, over a split and a merge. */
async function filled(ask: Parameters<typeof consumingCloud>[0] = {}): Promise<ConsumingCloud> {
  const world = await consumingCloud(ask);
  await world.put(KEYS, 1);
  await world.put(KEYS, 2);
  await world.split();
  await world.put(KEYS, 3);
  await world.merge();
  await world.put(KEYS, 4);
  await world.put(KEYS.slice(0, 10), 5);
  await world.cloud.untilIdle();
  return world;
}

test('an emptied table is the same again, over a split and a merge, ended in the middle and run again', async () => {
  let calls = 0;
  const world = await filled({
    enter({ passage }) {
      // Ctrl-C while a call is under way.
      if (passage === 'replay' && ++calls === 2) process.emit('SIGINT');
    },
  });
  const rows = await world.rows();
  expect(rows.size).toBe(40);
  await world.emptyTable();

  const argv = ['replay', 'orders', '--from', 'oldest', '--rate', '50', '--yes'];
  const first = await world.run(argv);
  expect(first.code).toBe(130);
  expect(first.out).toMatch(/Stopped: .*This goes on from there:\npenstock replay orders /);
  const again = / replay (.*) --cloud/.exec(first.out)?.[1]?.split(' ') ?? [];
  expect((await world.rows()).size).toBeGreaterThan(0);

  const second = await world.run(['replay', ...again, '--yes']);
  expect({ code: second.code, err: second.err }).toEqual({ code: 0, err: '' });
  expect(second.out).toMatch(
    /^Goes on with the replay that was begun at .*: \d+ of its records are done/,
  );
  // It goes on: what the first run did is not sent a second time.
  const done = Number(/: (\d+) of its records are done/.exec(second.out)?.[1]);
  expect(done).toBeGreaterThan(0);
  expect(second.out).toContain(`Done: ${170 - done} records`);
  expect(await world.rows()).toEqual(rows);
});

test('counted first, it says how much there is, and sends nothing', async () => {
  const world = await filled();
  await world.emptyTable();
  const { code, out } = await world.run(['replay', 'orders', '--from', '2026-01-01', '--dry-run']);
  expect(code).toBe(0);
  expect(out).toMatch(
    /^orders, orders: 4 shards from 2026-01-01T00:00:00.000Z to the tip as of \S+Z, at most/,
  );
  expect(out).toMatch(/What arrived before \S+ has left the stream, which keeps 24 hours/);
  expect(out).toMatch(
    /\n170 records, [\d.]+ kB, in 4 shards; about 340 ms at 500 records a second. Nothing was sent.\n$/,
  );
  const one = await world.run([
    'replay',
    'orders',
    '--from',
    'oldest',
    '--key',
    'order-7',
    '--dry-run',
    '--json',
  ]);
  const counted = JSON.parse(one.out);
  expect(counted).toMatchObject({ records: 5, seconds: 1, sent: false, toTip: true });
  expect(Date.parse(counted.to)).toBeLessThanOrEqual(Date.now());
  expect((await world.rows()).size).toBe(0);
});

test('from a record on, in its shard, and a number that no record can have is refused', async () => {
  const world = await filled();
  const { sequenceNumber = '' } = (await world.records())[1] ?? {};
  const shard = ['--shard', '0', '--dry-run'];
  const there = await world.run(['replay', 'orders', '--from', sequenceNumber, ...shard]);
  expect(there.out).toContain('79 records');
  const all = await world.run(['replay', 'orders', '--from', sequenceNumber, '--dry-run']);
  expect([all.code, all.err]).toEqual([2, expect.stringMatching(/--shard says which of shardId-/)]);
  const early = String(BigInt(sequenceNumber) / 2n);
  const none = await world.run(['replay', 'orders', '--from', early, ...shard]);
  expect([none.code, none.err]).toEqual([1, expect.stringMatching(/did not come from this shard/)]);
});

test('two do not run one replay at once, and another is not begun before the first is over', async () => {
  const entered = Promise.withResolvers<void>();
  const leave = Promise.withResolvers<void>();
  const world = await filled({
    async enter({ passage }) {
      if (passage !== 'replay') return;
      entered.resolve();
      await leave.promise;
    },
  });
  const argv = ['replay', 'orders', '--from', 'oldest', '--yes'];
  const first = world.run(argv);
  await entered.promise;
  const second = await world.run(argv);
  expect([second.code, second.out]).toEqual([1, '']);
  expect(second.err).toMatch(
    /^A replay of orders, orders is at work: .* can be taken up from \S+ on\.\n$/,
  );
  process.emit('SIGINT');
  leave.resolve();
  expect((await first).code).toBe(130);

  const other = await world.run(['replay', 'orders', '--from', '1h', '--yes']);
  expect(other.code).toBe(1);
  expect(other.err).toMatch(
    /--restart gives it up:\npenstock replay orders --consumer orders --from oldest --cloud http:\S+ --yes\n$/,
  );
  const anew = await world.run([
    'replay',
    'orders',
    '--from',
    '1h',
    '--yes',
    '--restart',
    '--json',
  ]);
  expect(JSON.parse(anew.out)).toMatchObject({
    outcome: { kind: 'done' },
    records: 170,
    resumeWith: null,
  });
});
