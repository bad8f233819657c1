import { expect, test } from 'vitest';
import { memoryReplayStore } from '#adapters/memory/replay-store';
import type { SequenceNumber } from '#core/record/records';
import { holdReplay, LEASE_MS, takeReplay } from '#pipeline/hold-replay';
import type { TakeAsk } from '#pipeline/hold-replay';

const OF = { pipeline: 'orders', consumer: 'audit' };
const PLACE = {
  shardId: 'shardId-000000000000',
  sequenceNumber: '7' as SequenceNumber,
  records: 5,
  ended: false,
};

function world() {
  const store = memoryReplayStore();
  let nowMs = 1_900_000_000_000;
  const sleepers: (() => void)[] = [];
  const clock = {
    nowMs: () => nowMs,
    sleep: () => new Promise<void>((resolve) => void sleepers.push(resolve)),
  };
  return {
    store,
    clock,
    take: (change: Partial<TakeAsk> = {}) =>
      takeReplay(
        OF,
        { ask: 'since 3h', plan: 'p', owner: 'ada', restart: false, ...change },
        { store, clock },
      ),
    pass(durationMs: number) {
      nowMs += durationMs;
    },
    async wake() {
      for (const resolve of sleepers.splice(0)) resolve();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

test('while one is at work, another is told who it is', async () => {
  const { take } = world();
  expect((await take()).kind).toBe('taken');
  expect(await take({ owner: 'bob' })).toMatchObject({ kind: 'busy', run: { owner: 'ada' } });
});

test('of two who begin at once, one does', async () => {
  const { take } = world();
  const kinds = await Promise.all([take(), take({ owner: 'bob' })]);
  expect(kinds.map(({ kind }) => kind).toSorted()).toEqual(['busy', 'taken']);
});

test('one that was killed is taken up with its places once its lease has run out', async () => {
  const { take, store, pass } = world();
  const first = await take();
  await store.move(OF, first.run, PLACE);
  pass(LEASE_MS);
  const second = await take({ owner: 'bob', plan: 'another moment' });
  expect(second).toMatchObject({
    kind: 'taken',
    places: [PLACE],
    run: { plan: 'p', owner: 'bob', epoch: 2, startedAtMs: first.run.startedAtMs },
  });
});

test('what is not over keeps another ask away, until it is given up', async () => {
  const { take, store, pass } = world();
  await store.move(OF, (await take()).run, PLACE);
  pass(LEASE_MS);
  expect(await take({ ask: 'since 5h' })).toMatchObject({
    kind: 'other',
    run: { ask: 'since 3h' },
  });
  const anew = await take({ ask: 'since 5h', restart: true });
  expect(anew).toMatchObject({ kind: 'taken', places: [], run: { ask: 'since 5h' } });
});

test('what is over begins anew, and what was ended early goes on', async () => {
  const { take, store, clock, pass } = world();
  const first = await take();
  await holdReplay(OF, first.run, { store, clock }, async () => ({ finished: false }));
  const second = await take();
  expect(second).toMatchObject({ kind: 'taken', run: { epoch: 2 } });
  pass(1);
  await holdReplay(OF, second.run, { store, clock }, async () => ({ finished: true }));
  const third = await take();
  expect(third.run.startedAtMs).toBeGreaterThan(first.run.startedAtMs);
});

test('the lease is renewed while the work lasts, and its loss is told', async () => {
  const { take, store, clock, pass, wake } = world();
  const { run } = await take();
  const work = Promise.withResolvers<{ finished: boolean }>();
  let lostSeen: AbortSignal | undefined;
  const held = holdReplay(OF, run, { store, clock }, (lost) => {
    lostSeen = lost;
    return work.promise;
  });
  pass(LEASE_MS - 1);
  await wake();
  pass(LEASE_MS - 1);
  expect((await take({ owner: 'bob' })).kind).toBe('busy');
  expect(lostSeen?.aborted).toBe(false);

  pass(LEASE_MS);
  expect((await take({ owner: 'bob' })).kind).toBe('taken');
  await wake();
  expect(lostSeen?.aborted).toBe(true);
  work.resolve({ finished: true });
  await held;
  expect((await store.read(OF))?.run).toMatchObject({ owner: 'bob', finishedAtMs: null });
});
