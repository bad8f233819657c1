import { describe, expect, test } from 'vitest';
import { memoryCheckpointStore } from '#adapters/memory/checkpoint-store';
import { memoryStreamWriter } from '#adapters/memory/stream-writer';
import type { SequenceNumber } from '#core/record/records';
import { poll } from '#pipeline/poll';
import type { StreamWriter } from '#ports/stream-writer';
import { options, page, row, testClock, testWorld } from './poll-world.ts';

const MINUTE_MS = 60_000;
const SHARD = 'shardId-000000000003';

function bounded(reaction: 'pause' | 'go-on' = 'pause', ageMinutes = 10) {
  const consumers = [{ name: 'board', recordAgeMsMax: 300 * MINUTE_MS }];
  return { ...options, behind: { ageMsMax: ageMinutes * MINUTE_MS, reaction, consumers } };
}

/** One record a poll, each newer than the last. */
function stage() {
  const clock = testClock();
  const inner = memoryStreamWriter();
  const checkpoints = memoryCheckpointStore();
  const writer: StreamWriter = {
    async put(records) {
      const outcomes = await inner.put(records);
      return outcomes.map((one) => (one.kind === 'written' ? { ...one, shardId: SHARD } : one));
    },
  };
  let asked = 0;
  const source = {
    async fetchPage() {
      asked++;
      return page([row('1', `2031-06-12T15:00:${String(10 + asked)}Z`)]);
    },
  };
  return {
    clock,
    inner,
    asked: () => asked,
    world: testWorld([], { clock, checkpoints, source, writer: writer as never }),
    consumeTo: (sequence: number) =>
      checkpoints.save(
        {
          pipeline: 'orders',
          consumer: 'board',
          shardId: SHARD,
          reach: 'highest-finished',
          sequenceNumber: String(sequence) as SequenceNumber,
          arrivalTimeMs: 0,
          atMs: 0,
        },
        1,
      ),
  };
}

describe('a consumer behind the bound', () => {
  test('holds polls back, which say who, where and how far; they go on under half of it', async () => {
    const { world, clock, asked, consumeTo } = stage();
    await poll(bounded(), world);
    clock.advance(6 * MINUTE_MS);
    await poll(bounded(), world);
    clock.advance(5 * MINUTE_MS);
    const held = {
      kind: 'held-back',
      detail: `board is 11 min behind in ${SHARD}; the bound is 10 min`,
      pages: 0,
    };
    expect(await poll(bounded(), world)).toMatchObject(held);
    expect(world.events.at(-1)).toMatchObject({ event: 'PollEnded', outcome: 'held-back' });
    expect(asked()).toBe(2);
    // The second record is 6 minutes old by then: under the bound, not under half of it.
    await consumeTo(1);
    clock.advance(MINUTE_MS);
    expect(await poll(bounded(), world)).toMatchObject({
      kind: 'held-back',
      detail: `board is 6 min behind in ${SHARD}; the bound is 10 min`,
    });
    await consumeTo(2);
    expect(await poll(bounded(), world)).toMatchObject({ kind: 'caught-up', published: 1 });
    expect(asked()).toBe(3);
  });

  test('holds a poll back in the middle of a run, which goes on there', async () => {
    const { world, clock, consumeTo } = stage();
    const source = {
      async fetchPage({ query }: { query: Readonly<Record<string, string>> }) {
        const place = Number(query['cursor'] ?? 0) + 1;
        return page([row(`${place}`, '2031-06-12T15:00:00Z')], place < 6 ? `${place}` : null);
      },
    };
    const slow: StreamWriter = {
      put(records) {
        clock.advance(4 * MINUTE_MS);
        return world.writer.put(records);
      },
    };
    const long = { ...world, source, writer: slow };
    // The first record is confirmed at 4 minutes: at 16 it is 12 minutes old.
    expect(await poll(bounded(), long)).toMatchObject({ kind: 'held-back', pages: 4 });
    clock.advance(60 * MINUTE_MS);
    expect(await poll(bounded(), long)).toMatchObject({ kind: 'held-back', pages: 0 });
    await consumeTo(4);
    expect(await poll(bounded(), long)).toMatchObject({ kind: 'caught-up', pages: 2 });
  });

  test('is only told of where the file says to go on', async () => {
    const { world, clock, asked } = stage();
    await poll(bounded('go-on'), world);
    clock.advance(11 * MINUTE_MS);
    expect(await poll(bounded('go-on'), world)).toMatchObject({ kind: 'caught-up' });
    expect(asked()).toBe(2);
    const told = world.events.filter(({ event }) => event === 'ConsumerBehind');
    expect(told).toEqual([
      {
        event: 'ConsumerBehind',
        pipeline: 'orders',
        consumer: 'board',
        shardId: SHARD,
        ageMs: 11 * MINUTE_MS,
        detail: `board is 11 min behind in ${SHARD}; the bound is 10 min`,
      },
    ]);
  });

  test('that gave a record up is not waited for', async () => {
    const { world, clock } = stage();
    await poll(bounded(), world);
    clock.advance(300 * MINUTE_MS);
    expect((await poll(bounded(), world)).kind).toBe('held-back');
    clock.advance(MINUTE_MS);
    expect((await poll(bounded(), world)).kind).toBe('caught-up');
  });
});

test('a poller that does not look keeps no marks', async () => {
  const { world } = stage();
  await poll(options, world);
  const taken = await world.states.acquire({ pipeline: 'orders', nowMs: Infinity, leaseMs: 1 });
  expect(taken).toMatchObject({ kind: 'acquired' });
  expect(taken.kind === 'acquired' && 'sent' in taken.state).toBe(false);
});
