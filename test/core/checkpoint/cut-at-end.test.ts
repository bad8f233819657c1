import { expect, test } from 'vitest';
import { cutAtEnd } from '#core/checkpoint/cut-at-end';
import type { RangeEnd } from '#core/checkpoint/cut-at-end';
import type { SequenceNumber, StoredRecord } from '#core/record/records';

const record = (sequence: number, arrivalTimeMs: number): StoredRecord => ({
  shardId: 's0',
  sequenceNumber: String(sequence) as SequenceNumber,
  partitionKey: 'k',
  data: new Uint8Array(),
  arrivalTimeMs,
});
const page = [record(8, 1_000), record(9, 2_000), record(10, 1_500), record(11, 3_000)];
const cut = (end: RangeEnd) => {
  const { records, isOver } = cutAtEnd(page, end);
  return [records.length, isOver];
};
const to = (sequence: number): RangeEnd => ({
  kind: 'sequence',
  sequenceNumber: String(sequence) as SequenceNumber,
});

test('of a time, with the last record before the first that arrived later', () => {
  expect(cut({ kind: 'time', untilMs: 3_000 })).toEqual([4, false]);
  expect(cut({ kind: 'time', untilMs: 2_000 })).toEqual([3, true]);
  expect(cut({ kind: 'time', untilMs: 1_700 })).toEqual([1, true]);
  expect(cut({ kind: 'time', untilMs: 999 })).toEqual([0, true]);
});

test('of a sequence number, with it, as a number', () => {
  expect(cut(to(12))).toEqual([4, false]);
  expect(cut(to(11))).toEqual([4, true]);
  expect(cut(to(10))).toEqual([3, true]);
  expect(cut(to(9))).toEqual([2, true]);
  expect(cut(to(7))).toEqual([0, true]);
});
