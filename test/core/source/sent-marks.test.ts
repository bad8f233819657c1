import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SequenceNumber } from '#core/record/records';
import {
  decodeMarks,
  encodeMarks,
  furthestBehind,
  markSent,
  NOTHING_SENT,
  withoutDone,
} from '#core/source/sent-marks';
import type { SentMark } from '#core/source/sent-marks';

const SPAN_MS = 7_000;
const PATIENCE_MS = 900_000;

const sequence = (value: number) => String(value) as SequenceNumber;
const shard = (at: number) => `shardId-00000000000${at}`;
const consumerAt = (done: Readonly<Record<string, number>>, patienceMs = PATIENCE_MS) => ({
  consumer: 'board',
  done: new Map(Object.entries(done).map(([id, at]) => [id, sequence(at)])),
  patienceMs,
});

/** Records with the time since the one before, and their shard. */
const sendings = fc.array(
  fc.record({ afterMs: fc.nat(20_000), at: fc.nat(2), isDone: fc.boolean() }),
  { maxLength: 40 },
);

/** All that was sent, and the marks that are left of it. */
function sendAll(list: readonly { readonly afterMs: number; readonly at: number }[]) {
  let [atMs, marks]: [number, readonly SentMark[]] = [1_000, []];
  const sent = list.map((one, index) => {
    atMs += one.afterMs;
    // Nine before ten: the order is that of numbers.
    const record = { shardId: shard(one.at), sequenceNumber: sequence(index + 8), atMs };
    marks = markSent(marks, record, SPAN_MS);
    return record;
  });
  return { sent, marks, nowMs: atMs };
}

describe('the age of what is not done', () => {
  test('is never told too high, and too low by less than a span', () => {
    fc.assert(
      fc.property(sendings, fc.nat(60_000), (list, laterMs) => {
        const { sent, marks, nowMs: lastMs } = sendAll(list);
        const nowMs = lastMs + laterMs;
        // Of each shard everything up to the last that is done.
        const done: Record<string, number> = {};
        sent.forEach(({ shardId, sequenceNumber }, index) => {
          if (list[index]!.isDone) done[shardId] = Number(sequenceNumber);
        });
        const undone = sent.filter(
          ({ shardId, sequenceNumber }) => Number(sequenceNumber) > (done[shardId] ?? 0),
        );
        const behind = furthestBehind(marks, [consumerAt(done)], nowMs);
        expect(behind === undefined).toBe(undone.length === 0);
        if (behind === undefined) return;
        const trueMs = nowMs - undone[0]!.atMs;
        expect(behind.ageMs).toBeLessThanOrEqual(trueMs);
        expect(behind.ageMs).toBeGreaterThan(trueMs - SPAN_MS);
      }),
    );
  });

  test('is none where all is done, however long ago', () => {
    const { marks, nowMs } = sendAll([
      { afterMs: 1, at: 0 },
      { afterMs: 1, at: 1 },
    ]);
    const all = consumerAt({ [shard(0)]: 8, [shard(1)]: 9 });
    expect(furthestBehind(marks, [all], nowMs + PATIENCE_MS)).toBeUndefined();
    expect(withoutDone(marks, [all], nowMs)).toEqual([]);
  });

  test('is that of the consumer that is furthest behind, a shard it never read included', () => {
    const { marks, nowMs } = sendAll([
      { afterMs: 1, at: 0 },
      { afterMs: 9_000, at: 1 },
    ]);
    const quick = { ...consumerAt({ [shard(0)]: 8 }), consumer: 'quick' };
    expect(furthestBehind(marks, [quick], nowMs + 500)).toMatchObject({
      consumer: 'quick',
      shardId: shard(1),
      ageMs: 500,
    });
    expect(furthestBehind(marks, [quick, consumerAt({})], nowMs + 500)).toMatchObject({
      consumer: 'board',
      shardId: shard(0),
      ageMs: 9_500,
    });
  });

  test('does not count what was given up: nobody waits for it', () => {
    const { marks, nowMs } = sendAll([{ afterMs: 1, at: 0 }]);
    const never = consumerAt({}, 30_000);
    expect(furthestBehind(marks, [never], nowMs + 30_000)).toMatchObject({ ageMs: 30_000 });
    expect(furthestBehind(marks, [never], nowMs + 30_001)).toBeUndefined();
  });
});

describe('marks', () => {
  test('are as many as fit into an item, of however many shards', () => {
    let marks: readonly SentMark[] = [];
    for (let at = 0; at < 2_000; at++) {
      const shardId = `shardId-${at % 700}`;
      marks = markSent(marks, { shardId, sequenceNumber: sequence(at), atMs: at * SPAN_MS }, 1);
    }
    expect(marks).toHaveLength(512);
    expect(encodeMarks({ heldSinceMs: null, marks }).length).toBeLessThan(60_000);
  });

  test('survive being stored, and are none where none were', () => {
    const { marks } = sendAll([
      { afterMs: 1, at: 0 },
      { afterMs: 9_000, at: 1 },
    ]);
    const kept = { heldSinceMs: 77, marks };
    expect(decodeMarks(encodeMarks(kept))).toEqual(kept);
    expect(decodeMarks(undefined)).toEqual(NOTHING_SENT);
  });

  test('of a newer form are left alone', () => {
    expect(() => decodeMarks('{"v":2}')).toThrow(
      'the marks of what was published have form 2, this Penstock reads up to 1: deploy the newer one',
    );
  });
});
