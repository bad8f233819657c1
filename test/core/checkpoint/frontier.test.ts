import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decideProgress } from '#core/checkpoint/frontier';
import type { SequenceNumber, StoredRecord } from '#core/record/records';

const record = (sequence: number | bigint): StoredRecord => ({
  shardId: 'shardId-000000000001',
  sequenceNumber: String(sequence) as SequenceNumber,
  partitionKey: 'lane',
  data: new Uint8Array(),
  arrivalTimeMs: 1_900_000_000_000,
});

/** Sequence numbers of one to four digits, so that text order is often wrong. */
const batch = fc
  .uniqueArray(fc.integer({ min: 1, max: 1_200 }), { maxLength: 12 })
  .chain((sequences) =>
    fc
      .array(fc.boolean(), { minLength: sequences.length, maxLength: sequences.length })
      .map((finished) => ({ sequences, finished })),
  );

test('the shard resumes at the lowest unfinished, and the frontier is the last below it', () =>
  fc.assert(
    fc.property(batch, ({ sequences, finished }) => {
      const progress = decideProgress(sequences.map(record), (place) => finished[place]!);
      const unfinished = Math.min(...sequences.filter((_, place) => !finished[place]));
      const below = sequences.filter((sequence) => sequence < unfinished);
      expect(Number(progress.resumeAt ?? Infinity)).toBe(unfinished);
      expect(Number(progress.frontier?.sequenceNumber ?? -Infinity)).toBe(Math.max(...below));
      expect(progress.done).toBe(below.length);
    }),
  ));

test('the highest finished looks past what is unfinished', () =>
  fc.assert(
    fc.property(batch, ({ sequences, finished }) => {
      const progress = decideProgress(sequences.map(record), (place) => finished[place]!);
      const highest = Math.max(...sequences.filter((_, place) => finished[place]));
      expect(Number(progress.highestFinished?.sequenceNumber ?? -Infinity)).toBe(highest);
    }),
  ));

test('10 follows 9', () => {
  const records = [record(9), record(10)];
  expect(decideProgress(records, (place) => place === 0)).toMatchObject({
    resumeAt: '10',
    frontier: { sequenceNumber: '9' },
  });
});

test('two deliveries of one sequence number are finished when both are', () => {
  const records = [record(4), record(5), record(5)];
  const progress = decideProgress(records, (place) => place < 2);
  expect(progress).toMatchObject({ resumeAt: '5', frontier: { sequenceNumber: '4' } });
});

test('nothing has no place', () => {
  expect(decideProgress([], () => false)).toEqual({ done: 0 });
});
