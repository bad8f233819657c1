/** Laws of a second reading: over any splits and merges, any pages, any interruptions. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RangeEnd } from '#core/checkpoint/cut-at-end';
import type { StoredRecord } from '#core/record/records';
import type { ShardPlace } from '#ports/shard-reader';
import { KEYS, modelReader, modelStream, replayWorld, START_MS } from './replay-world.ts';
import type { Move } from './replay-world.ts';

const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ put: fc.nat(KEYS - 1) }) },
  { weight: 1, arbitrary: fc.record({ split: fc.nat(7) }) },
  { weight: 1, arbitrary: fc.record({ merge: fc.nat(7) }) },
);
const moves = fc.array(move, { maxLength: 60 });
const pace = fc.record({
  pageSize: fc.integer({ min: 1, max: 7 }),
  lanes: fc.integer({ min: 1, max: 4 }),
  recordsMax: fc.integer({ min: 1, max: 4 }),
});
const second = fc.nat(60).map((at) => START_MS + at * 1_000);

const numbers = (records: readonly StoredRecord[]) =>
  records.map(({ sequenceNumber }) => Number(sequenceNumber));

/** Of each key, what came first was sent first; and no child before its parents were read out. */
function expectOrder(sent: readonly StoredRecord[], stream: ReturnType<typeof modelStream>): void {
  for (const versions of Map.groupBy(sent, ({ partitionKey }) => partitionKey).values()) {
    expect(numbers(versions)).toEqual(numbers(versions).toSorted((a, b) => a - b));
  }
  const last = new Map(sent.map(({ shardId }, at) => [shardId, at]));
  const first = new Map(
    sent.toReversed().map(({ shardId }, at) => [shardId, sent.length - 1 - at]),
  );
  for (const { shardId, parentShardIds } of stream.shards) {
    for (const parent of parentShardIds) {
      expect(last.get(parent) ?? -1).toBeLessThan(first.get(shardId) ?? Infinity);
    }
  }
}

test('every record of the range is sent once, in the order of its key, parents first', () =>
  fc.assert(
    fc.asyncProperty(moves, pace, second, second, async (made, how, fromMs, untilMs) => {
      const stream = modelStream(made);
      const from: ShardPlace = { kind: 'at', timestampMs: fromMs };
      const end: RangeEnd = { kind: 'time', untilMs };
      const world = replayWorld(stream, { ...how, from, end });
      expect(await world.run()).toEqual({ kind: 'done' });
      const range = stream.all.filter(
        ({ arrivalTimeMs }) => fromMs <= arrivalTimeMs && arrivalTimeMs <= untilMs,
      );
      expect(numbers(world.sent).toSorted((a, b) => a - b)).toEqual(numbers(range));
      expectOrder(world.sent, stream);
      expect([...world.places.values()].every(({ ended }) => ended)).toBe(true);
    }),
    { numRuns: 200 },
  ));

test('CONS-19: a read that fails for good ends it with the error, and it goes on from there: none is lost', () =>
  fc.assert(
    fc.asyncProperty(
      moves,
      pace,
      fc.array(fc.nat(9), { maxLength: 4 }),
      async (made, how, cuts) => {
        const stream = modelStream(made);
        let left = Infinity;
        const plain = modelReader(stream, how.pageSize);
        const reader = {
          async open(...asked: Parameters<typeof plain.open>) {
            const read = await plain.open(...asked);
            return async () => {
              if (left-- <= 0) throw new Error('the shard cannot be read');
              return read();
            };
          },
        };
        const world = replayWorld(stream, { ...how, reader });
        for (const cut of cuts) {
          left = cut;
          const end = await world.run().catch((error: Error) => error.message);
          expect([{ kind: 'done' }, 'the shard cannot be read']).toContainEqual(end);
        }
        left = Infinity;
        expect(await world.run()).toEqual({ kind: 'done' });
        expect(numbers(world.sent).toSorted((a, b) => a - b)).toEqual(numbers(stream.all));
        expectOrder(world.sent, stream);
      },
    ),
    { numRuns: 150 },
  ));

test('interrupted anywhere and run again, no record is left out, and none goes back behind its key', () =>
  fc.assert(
    fc.asyncProperty(moves, pace, fc.nat(12), async (made, how, cut) => {
      const stream = modelStream(made);
      const world = replayWorld(stream, {
        ...how,
        answer(records, call) {
          if (call === cut) world.interrupt();
          // What comes back is tried once more, alone.
          return records.map((_, at) => (at > 0 && call % 3 === 0 ? 'returned' : 'written'));
        },
      });
      const first = await world.run();
      expect(['done', 'interrupted']).toContain(first.kind);
      expect(await world.run()).toEqual({ kind: 'done' });
      const seen = new Set(numbers(world.sent));
      expect([...seen].toSorted((a, b) => a - b)).toEqual(numbers(stream.all));
      const firsts = world.sent.filter((record, at) => world.sent.indexOf(record) === at);
      expectOrder(firsts, stream);
      const done = [...world.places.values()].reduce((sum, { records }) => sum + records, 0);
      expect(done).toBe(stream.all.length);
    }),
    { numRuns: 200 },
  ));
