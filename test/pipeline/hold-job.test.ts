import { expect, test } from 'vitest';
import { memoryReplayStore } from '#adapters/memory/replay-store';
import type { SequenceNumber } from '#core/record/records';
import type { ReplayRun } from '#ports/replay-store';
import { findJob, holdJob, LEASE_MS, takeJob } from '#pipeline/hold-job';

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
    /** @param aheadMs of the taker's clock; `whileWatched` runs between its looks. */
    async take({
      whileWatched = async () => {},
      aheadMs = 0,
      ...change
    }: {
      ask?: string;
      plan?: string;
      owner?: string;
      restart?: boolean;
      aheadMs?: number;
      whileWatched?: () => Promise<void>;
    } = {}) {
      const asked = { ask: 'since 3h', plan: 'p', owner: 'ada', restart: false, ...change };
      const own = {
        nowMs: () => nowMs + aheadMs,
        async sleep(durationMs: number) {
          nowMs += durationMs;
          await whileWatched();
        },
      };
      const found = await findJob(OF, asked, { store, clock: own });
      return found.kind === 'free' ? takeJob(OF, found, asked, { store, clock: own }) : found;
    },
    pass(durationMs: number) {
      nowMs += durationMs;
    },
    async wake() {
      for (const resolve of sleepers.splice(0)) resolve();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

/** What it took, or the test is wrong. */
async function taken(found: Promise<{ kind: string; run?: ReplayRun | undefined }>) {
  const { kind, run } = await found;
  expect(kind).toBe('taken');
  return { kind, run: run! };
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
  const first = await taken(take());
  await store.move(OF, first.run, PLACE);
  pass(LEASE_MS);
  const second = await take({ owner: 'bob', plan: 'another moment' });
  expect(second).toMatchObject({
    kind: 'taken',
    places: [PLACE],
    run: { plan: 'p', owner: 'bob', epoch: 2, startedAtMs: first.run.startedAtMs },
  });
});

test('one that is at work is not taken up by a clock that is ahead', async () => {
  const { take, store, clock, wake } = world();
  const { run } = await taken(take());
  const work = Promise.withResolvers<{ finished: boolean }>();
  const held = holdJob(OF, run, { store, clock }, () => work.promise);
  const early = await take({ owner: 'bob', aheadMs: LEASE_MS + 10_000, whileWatched: wake });
  expect(early).toMatchObject({ kind: 'busy', run: { owner: 'ada', epoch: 1 } });
  work.resolve({ finished: false });
  await Promise.all([wake(), held]);
  expect((await take({ owner: 'bob', aheadMs: LEASE_MS + 10_000 })).kind).toBe('taken');
});

test('what was given back is taken up at once, and what was not is watched first', async () => {
  const { take, store, clock, pass } = world();
  const { run } = await taken(take());
  pass(2 * LEASE_MS);
  const beganMs = clock.nowMs();
  const again = await taken(take({ owner: 'bob' }));
  expect(clock.nowMs() - beganMs).toBe(LEASE_MS);
  expect(again.run.epoch).toBe(run.epoch + 1);
  await holdJob(OF, again.run, { store, clock }, async () => ({ finished: false }));
  const freeMs = clock.nowMs();
  await taken(take());
  expect(clock.nowMs()).toBe(freeMs);
});

test('one that comes to life while a person thinks is left at it', async () => {
  const { store, clock, take, pass } = world();
  const { run } = await taken(take());
  pass(2 * LEASE_MS);
  const world2 = { store, clock: { ...clock, sleep: async () => {} } };
  const found = await findJob(OF, { ask: 'since 3h', restart: false }, world2);
  if (found.kind !== 'free') throw new Error('it is free');
  await store.save(OF, { ...run, leaseUntilMs: clock.nowMs() + LEASE_MS }, run.epoch);
  const asked = { ask: 'since 3h', plan: 'p', owner: 'bob' };
  expect((await takeJob(OF, found, asked, world2)).kind).toBe('busy');
});

test('what is not over keeps another ask away, until it is given up', async () => {
  const { take, store, pass } = world();
  await store.move(OF, (await taken(take())).run, PLACE);
  pass(LEASE_MS);
  expect(await take({ ask: 'since 5h' })).toMatchObject({
    kind: 'other',
    run: { ask: 'since 3h' },
  });
  const anew = await take({ ask: 'since 5h', restart: true });
  expect(anew).toMatchObject({ kind: 'taken', places: undefined, run: { ask: 'since 5h' } });
});

test('what is over begins anew, and what was ended early goes on', async () => {
  const { take, store, clock, pass } = world();
  const first = await taken(take());
  await holdJob(OF, first.run, { store, clock }, async () => ({ finished: false }));
  const second = await taken(take());
  expect(second).toMatchObject({ kind: 'taken', run: { epoch: 2 } });
  pass(1);
  await holdJob(OF, second.run, { store, clock }, async () => ({ finished: true }));
  const third = await taken(take());
  expect(third.run.startedAtMs).toBeGreaterThan(first.run.startedAtMs);
});

test('the lease is renewed while the work lasts, and its loss is told', async () => {
  const { take, store, clock, pass, wake } = world();
  const { run } = await taken(take());
  const work = Promise.withResolvers<{ finished: boolean }>();
  let lostSeen: AbortSignal | undefined;
  const held = holdJob(OF, run, { store, clock }, (lost) => {
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
