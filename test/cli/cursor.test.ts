/** penstock cursor, pause and resume, as a shell sees them. */
import { expect, test } from 'vitest';
import { dynamoPollStateStore } from '#adapters/dynamodb/poll-state-store';
import { systemClock as clock } from '#adapters/system/clock';
import { BOUNDARY, CURSOR, pollCommands } from './poll-commands.ts';

const BACK = '2021-06-12T09:00:00.000000000Z';
const SET_BACK = ['cursor', 'set', 'orders', '--at', '2021-06-12T11:00:00+02:00'];
const IN_TABLE = { tableName: 'penstock-dev-state', clock };
const WRITES = /Update|Put|Delete|Write/;

/** An orders pipeline that polled once. */
async function polledOnce() {
  const commands = await pollCommands();
  await commands.control.setCursor('orders', CURSOR);
  commands.calls.length = 0;
  return commands;
}

test('show tells the place, the lease and the pause, and --json tells all of it', async () => {
  const { run, control } = await polledOnce();
  const sinceMs = Date.UTC(2021, 5, 13);
  await control.pause('orders', { sinceMs, reason: 'migration' });
  const { code, out } = await run(['cursor', 'show', 'orders']);
  expect(code).toBe(0);
  expect(out).toContain(`boundary  ${BOUNDARY}\n`);
  expect(out).toContain('lease     free (epoch 1)\n');
  expect(out).toContain('paused    since 2021-06-13T00:00:00.000Z: migration\n');
  expect(JSON.parse((await run(['cursor', 'show', 'orders', '--json'])).out)).toMatchObject({
    pipeline: 'orders',
    stage: 'dev',
    polled: true,
    cursor: { boundary: BOUNDARY, seen: ['aaaaaaaabbbbbbbbbbbbbbbb'], run: null },
    lease: { epoch: 1, heldUntil: null },
    parkedUntil: null,
    paused: { since: '2021-06-13T00:00:00.000Z', reason: 'migration' },
  });
});

test('show tells how the last poll ended, and when one last succeeded', async () => {
  const { run, connection } = await polledOnce();
  const states = dynamoPollStateStore(connection.dynamodb, IN_TABLE);
  const atMs = Date.UTC(2021, 5, 13);
  for (const [afterMs, end] of [
    [0, { outcome: 'caught-up', succeeded: true, detail: undefined }],
    [1_000, { outcome: 'failed', succeeded: false, detail: 'the source answered status 503' }],
  ] as const) {
    const ask = { pipeline: 'orders', nowMs: atMs, leaseMs: 60_000 };
    const taken = await states.acquire(ask);
    if (taken.kind !== 'acquired') throw new Error(`not to be had: ${taken.kind}`);
    await states.release(taken.lease, { ...end, atMs: atMs + afterMs });
  }
  const { out } = await run(['cursor', 'show', 'orders']);
  expect(out).toContain('success   2021-06-13T00:00:00.000Z\n');
  expect(out).toContain(
    'last end  failed at 2021-06-13T00:00:01.000Z: the source answered status 503\n',
  );
  expect(JSON.parse((await run(['cursor', 'show', 'orders', '--json'])).out)).toMatchObject({
    succeededAt: '2021-06-13T00:00:00.000Z',
    endedAt: '2021-06-13T00:00:01.000Z',
    outcome: 'failed',
    detail: 'the source answered status 503',
  });
});

test('show says that a pipeline has not polled yet', async () => {
  const { run } = await pollCommands();
  expect(await run(['cursor', 'show', 'orders'])).toEqual({
    code: 0,
    out: 'orders has not polled yet: its first poll reads the source from the beginning.\n',
    err: '',
  });
});

test.each([SET_BACK, ['cursor', 'reset', 'orders']])(
  '%s %s --dry-run shows what would change, and calls nothing that writes [CLI-09]',
  async (...argv) => {
    const { run, calls, control } = await polledOnce();
    const { code, out } = await run([...argv, '--dry-run']);
    expect(code).toBe(0);
    expect(out).toMatch(new RegExp(`^boundary  ${BOUNDARY} → (${BACK}|none)\n`));
    expect(out).toContain('Nothing is doubled in the table');
    expect(out).toMatch(/Nothing was changed\.\n$/);
    expect(calls).toContain('GetItem');
    expect(calls.filter((name) => WRITES.test(name))).toEqual([]);
    expect(await control.read('orders')).toMatchObject({ cursor: CURSOR, epoch: 1 });
  },
);

test('set polls again from a time, and no poll at work saves over it', async () => {
  const { run, control } = await polledOnce();
  const { code, out } = await run([...SET_BACK, '--yes', '--json']);
  expect(code).toBe(0);
  const after = { boundary: BACK, seen: [], run: null };
  const before = { boundary: BOUNDARY };
  expect(JSON.parse(out)).toMatchObject({ before, after, skips: null, written: true });
  const standing = await control.read('orders');
  expect(JSON.parse(standing?.cursor ?? '')).toEqual({ v: 1, ...after });
  expect(standing?.epoch).toBe(2);
});

test('of a source that is read as a whole, reset keeps the keys known, and set is refused', async () => {
  const { run, control } = await polledOnce();
  const ledger = { epoch: 4, number: 2 };
  const snapshot = { ledger, unless: { etag: '"a"', asked: '77' } };
  const cursor = { v: 1, boundary: BOUNDARY, seen: [], run: null, snapshot };
  await control.setCursor('orders', JSON.stringify(cursor));
  const { code, err } = await run(SET_BACK, 'orders\n');
  expect(code).not.toBe(0);
  expect(err).toContain('Every poll reads the whole source, so there is no time to go back to');
  expect((await run(['cursor', 'reset', 'orders'], 'orders\n')).code).toBe(0);
  const after = JSON.parse((await control.read('orders'))!.cursor!);
  const anew = { boundary: null, seen: [], run: null, snapshot: { ledger, isStale: true } };
  expect(after).toMatchObject(anew);
  expect(after.snapshot.unless).toBeUndefined();
});

test('of a source that is asked by token, reset keeps the keys known', async () => {
  const { run, control } = await polledOnce();
  const parts = [{ epoch: 5, from: 1, to: 3 }];
  const snapshot = { ledger: { epoch: 4, number: 2 }, parts };
  const cursor = { v: 1, boundary: null, seen: [], run: null, token: 't1', snapshot };
  await control.setCursor('orders', JSON.stringify(cursor));
  expect((await run(['cursor', 'reset', 'orders'], 'orders\n')).code).toBe(0);
  const after = JSON.parse((await control.read('orders'))!.cursor!);
  expect(after).toMatchObject({ run: null, snapshot: { ...snapshot, isStale: true } });
  expect(after.token).toBeUndefined();
});

test('reset polls from the beginning', async () => {
  const { run, control } = await polledOnce();
  expect((await run(['cursor', 'reset', 'orders'], 'orders\n')).code).toBe(0);
  expect(await control.read('orders')).toMatchObject({ cursor: undefined, epoch: 2 });
});

test('without --yes the name is typed, and another name changes nothing', async () => {
  const { run, control } = await polledOnce();
  const { code, err } = await run(SET_BACK, 'quakes');
  expect({ code, err }).toEqual({ code: 1, err: 'Nothing was changed: orders was not typed.\n' });
  expect(await control.read('orders')).toMatchObject({ cursor: CURSOR, epoch: 1 });
});

test('what would never be polled is refused, unless it may be so', async () => {
  const { run, control } = await polledOnce();
  const ahead = ['cursor', 'set', 'orders', '--at', '2021-06-13T00:00:00Z', '--yes'];
  const { code, err } = await run(ahead);
  expect(code).toBe(1);
  expect(err).toMatch(/^What changed at the source between .* would never be polled; --allow-skip/);
  const skip =
    'What changed at the source between 2021-06-12T15:58:30.000000000Z and 2021-06-13T00:00:00.000000000Z';
  const dry = await run([...ahead, '--allow-skip', '--dry-run']);
  expect(dry.out).toContain(`${skip} is never polled.\n`);
  const { code: done, out } = await run([...ahead, '--allow-skip']);
  expect(done).toBe(0);
  expect(out).toContain(`${skip} is never polled.\n`);
  expect((await control.read('orders'))?.cursor).toContain('2021-06-13T00:00:00.000000000Z');
});

test.each([
  [SET_BACK, 'There is no terminal to ask at: --yes agrees, --dry-run only shows.\n'],
  [
    ['cursor', 'set', 'orders', '--at', '2021-06-12', '--yes'],
    "--at takes an ISO 8601 time with its offset, such as 2031-04-16T09:00:00Z, not '2021-06-12'.\n",
  ],
  [
    ['cursor', 'set', 'orders', '--at', '9999-01-01T00:00:00Z', '--yes'],
    '--at is a time to come: 9999-01-01T00:00:00Z.\n',
  ],
  [['pause', 'orders', '--reason', 'x'.repeat(201)], '--reason takes 200 characters at most.\n'],
])('%j is a wrong command line', async (argv, err) => {
  const { run, calls } = await pollCommands();
  expect(await run(argv)).toEqual({ code: 2, out: '', err });
  expect(calls).toEqual([]);
});

test('pause marks a pipeline with its reason, and resume takes the mark away', async () => {
  const { run, control } = await polledOnce();
  const paused = await run(['pause', 'orders', '--reason', 'it moves']);
  expect(paused.code).toBe(0);
  expect(paused.out).toMatch(
    /^orders is paused: no poll begins until `penstock resume orders`\.\n/,
  );
  expect(await control.read('orders')).toMatchObject({ pause: { reason: 'it moves' } });
  expect(JSON.parse((await run(['pause', 'orders', '--json'])).out)).toMatchObject({
    paused: { reason: 'it moves' },
    isAtWork: false,
  });
  expect((await run(['resume', 'orders'])).out).toMatch(/^orders goes on where it was/);
  expect(await run(['resume', 'orders'])).toEqual({
    code: 0,
    out: 'orders was not paused.\n',
    err: '',
  });
});

test('pause says that a poll is at work', async () => {
  const { run, connection } = await polledOnce();
  await dynamoPollStateStore(connection.dynamodb, IN_TABLE).acquire({
    pipeline: 'orders',
    nowMs: clock.nowMs(),
    leaseMs: 60_000,
  });
  expect((await run(['pause', 'orders'])).out).toContain('A poll is at work');
});

test.each(['show', 'set', 'reset'])('cursor %s --help shows an example', async (name) => {
  const { run } = await pollCommands();
  const { out } = await run(['cursor', name, '--help']);
  expect(out).toContain(`$ penstock cursor ${name} orders`);
  expect(out).toMatch(/--json[\s\S]*--cloud|--cloud[\s\S]*--json/);
});
