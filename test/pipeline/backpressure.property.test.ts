/** A poller, its consumers and their checkpoints in memory; time that moves when told. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memoryCheckpointStore } from '#adapters/memory/checkpoint-store';
import { memoryStreamWriter } from '#adapters/memory/stream-writer';
import type { SequenceNumber } from '#core/record/records';
import { poll } from '#pipeline/poll';
import type { StreamWriter } from '#ports/stream-writer';
import { options, page, published, row, testClock, testWorld } from './poll-world.ts';

const BOUND_MS = 240_000;
const GIVEN_UP_MS = 6_000_000;
const SHARDS = ['shardId-000000000000', 'shardId-000000000001'];

const heeding = {
  ...options,
  behind: {
    ageMsMax: BOUND_MS,
    reaction: 'pause' as const,
    consumers: [
      { name: 'board', recordAgeMsMax: GIVEN_UP_MS },
      { name: 'mail', recordAgeMsMax: GIVEN_UP_MS },
    ],
  },
};

interface Sent {
  readonly shardId: string;
  readonly sequenceNumber: SequenceNumber;
  readonly atMs: number;
}

/** A stream of two shards, whose records each consumer does one by one when it is told to. */
function stage(onPut: () => void = () => {}) {
  const clock = testClock();
  const inner = memoryStreamWriter();
  const checkpoints = memoryCheckpointStore();
  const sent: Sent[] = [];
  const next = new Map<string, number>();
  const writer: StreamWriter = {
    async put(records) {
      onPut();
      const outcomes = await inner.put(records);
      return outcomes.map((outcome, at) => {
        if (outcome.kind !== 'written') return outcome;
        const shardId = SHARDS[records[at]!.partitionKey.length % 2]!;
        sent.push({ shardId, sequenceNumber: outcome.sequenceNumber, atMs: clock.nowMs() });
        return { ...outcome, shardId };
      });
    },
  };
  return {
    clock,
    checkpoints,
    writer,
    inner,
    /** What a consumer has left undone, oldest first. */
    undone: () =>
      heeding.behind.consumers
        .flatMap(({ name }) => sent.slice(next.get(name) ?? 0))
        .toSorted((one, other) => one.atMs - other.atMs),
    async consume(consumer: string, count: number) {
      const from = next.get(consumer) ?? 0;
      for (const { shardId, sequenceNumber, atMs } of sent.slice(from, from + count)) {
        const place = { pipeline: 'orders', consumer, shardId, reach: 'frontier' as const };
        await checkpoints.save({ ...place, sequenceNumber, arrivalTimeMs: atMs, atMs }, 1);
      }
      next.set(consumer, Math.min(sent.length, from + count));
    },
  };
}

const PAGES = 12;
const step = fc.record({
  passMs: fc.integer({ min: 1, max: 200_000 }),
  pageMs: fc.integer({ min: 0, max: 20_000 }),
  board: fc.nat(4),
  mail: fc.nat(4),
});

test('nothing is published while a consumer is behind the bound, and all is once consumers go on', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      let pageMs = 0;
      let deadlineMs = 0;
      const { clock, checkpoints, writer, inner, undone, consume } = stage(() => {
        const [oldest] = undone();
        const ageMs = oldest === undefined ? 0 : clock.nowMs() - oldest.atMs;
        // An age is told too low by less than an eighth of the bound; and then a page may be on its way.
        expect(ageMs).toBeLessThanOrEqual((BOUND_MS * 9) / 8 + 2 * pageMs);
      });
      const world = testWorld([], {
        clock,
        writer: writer as never,
        checkpoints,
        remainingMs: () => deadlineMs - clock.nowMs(),
        source: {
          async fetchPage({ query }) {
            clock.advance(pageMs);
            const read = Number(query['cursor'] ?? 0) + 1;
            const items = [
              row('9'.repeat(read), `2031-06-12T15:00:${String(read).padStart(2, '0')}Z`),
            ];
            return page(items, read === PAGES ? null : `${read}`);
          },
        },
      });
      const tick = async () => {
        deadlineMs = clock.nowMs() + 60_000;
        return poll(heeding, world);
      };
      for (const { passMs, board, mail, ...rest } of steps) {
        ({ pageMs } = rest);
        const outcome = await tick();
        expect(['caught-up', 'out-of-time', 'held-back']).toContain(outcome.kind);
        clock.advance(passMs);
        await consume('board', board);
        await consume('mail', mail);
      }
      pageMs = 0;
      await consume('board', Infinity);
      await consume('mail', Infinity);
      expect((await tick()).kind).toBe('caught-up');
      const subjects = published({ writer: inner }).map(({ subject }) => subject);
      expect(new Set(subjects).size).toBe(PAGES);
    }),
    { numRuns: 50 },
  );
});

test('a consumer that stands still because nothing was published holds nobody back', async () => {
  const { clock, checkpoints, writer, consume } = stage();
  const answers = [page([row('1', '2031-06-12T15:00:00Z')]), page([])];
  const world = testWorld(answers, { clock, writer: writer as never, checkpoints });
  expect(await poll(heeding, world)).toMatchObject({ kind: 'caught-up', published: 1 });
  await consume('board', 1);
  await consume('mail', 1);
  for (let days = 0; days < 5; days++) {
    clock.advance(86_400_000);
    expect((await poll(heeding, world)).kind).toBe('caught-up');
  }
});
