/**
 * What a poller remembers of what it published, to tell later whether its consumers have come past it.
 *
 * Always true: a mark is a record that was published, confirmed at `atMs` by the poller's clock. So a
 * consumer that has not come to a mark has left a record undone for at least the mark's age, and one
 * that stands still because nothing was published has no mark before it.
 */
import { assert } from '#core/assert';
import { compareSequences } from '#core/checkpoint/compare-sequences';
import type { SequenceNumber } from '#core/record/records';

export interface SentMark {
  readonly shardId: string;
  readonly sequenceNumber: SequenceNumber;
  readonly atMs: number;
}

export interface SentMarks {
  /** Polls are held back until consumers have come close again; null while they are not. */
  readonly heldSinceMs: number | null;
  /** Rising by time; in one shard by sequence number, too. */
  readonly marks: readonly SentMark[];
}

export const NOTHING_SENT: SentMarks = { heldSinceMs: null, marks: [] };

/** The form written here; a reader that meets a newer one must not touch it. */
const FORM = 1;

/**
 * Marks of all shards together.
 *
 * @source DynamoDB: an item holds 400 KB. A mark is some 100 bytes, and a full cursor 324 KB.
 */
const MARKS_MAX = 512;

/**
 * Take a record into account that was confirmed. Of one shard and one span of `spanMs` only the last
 * is kept, so that an age is told too low by less than that.
 */
export function markSent(
  marks: readonly SentMark[],
  sent: SentMark,
  spanMs: number,
): readonly SentMark[] {
  assert(spanMs > 0, 'marks lie some time apart');
  const before = marks.findLast(({ shardId }) => shardId === sent.shardId);
  if (before === undefined) return marks.length < MARKS_MAX ? [...marks, sent] : marks;
  if (compareSequences(sent.sequenceNumber, before.sequenceNumber) <= 0) return marks;
  const isSameSpan = Math.floor(before.atMs / spanMs) === Math.floor(sent.atMs / spanMs);
  // Where there is no room, the last of the shard stands for what is younger.
  const others =
    isSameSpan || marks.length >= MARKS_MAX ? marks.filter((mark) => mark !== before) : marks;
  return [...others, sent];
}

/** How far a consumer is: the highest sequence number that is done in a shard, and how long it tries. */
export interface DoneSoFar {
  readonly consumer: string;
  readonly done: ReadonlyMap<string, SequenceNumber>;
  /** What is older was given up, and is waited for by nobody. */
  readonly patienceMs: number;
}

export interface Behind {
  readonly consumer: string;
  readonly shardId: string;
  /** At least. */
  readonly ageMs: number;
}

/** The oldest mark that a consumer has not come to; undefined when all have come to all. */
export function furthestBehind(
  marks: readonly SentMark[],
  consumers: readonly DoneSoFar[],
  nowMs: number,
): Behind | undefined {
  for (const mark of marks) {
    const waits = consumers.find((consumer) => isWaitedFor(mark, consumer, nowMs));
    if (waits !== undefined) {
      const { consumer } = waits;
      return { consumer, shardId: mark.shardId, ageMs: Math.max(0, nowMs - mark.atMs) };
    }
  }
  return undefined;
}

/** The marks that somebody has yet to come to. */
export function withoutDone(
  marks: readonly SentMark[],
  consumers: readonly DoneSoFar[],
  nowMs: number,
): readonly SentMark[] {
  return marks.filter((mark) => consumers.some((consumer) => isWaitedFor(mark, consumer, nowMs)));
}

function isWaitedFor(
  { shardId, sequenceNumber, atMs }: SentMark,
  { done, patienceMs }: DoneSoFar,
  nowMs: number,
): boolean {
  if (nowMs - atMs > patienceMs) return false;
  const reached = done.get(shardId);
  return reached === undefined || compareSequences(reached, sequenceNumber) < 0;
}

/** As it is stored. */
export function encodeMarks({ heldSinceMs, marks }: SentMarks): string {
  const rows = marks.map(({ shardId, sequenceNumber, atMs }) => [shardId, sequenceNumber, atMs]);
  return JSON.stringify({ v: FORM, heldSinceMs, marks: rows });
}

/** @throws {Error} when a newer Penstock wrote it. */
export function decodeMarks(text: string | undefined): SentMarks {
  if (text === undefined) return NOTHING_SENT;
  const { v, heldSinceMs, marks } = JSON.parse(text) as {
    readonly v: number;
    readonly heldSinceMs: number | null;
    readonly marks: readonly (readonly [string, SequenceNumber, number])[];
  };
  if (v > FORM) {
    throw new Error(
      `the marks of what was published have form ${v}, this Penstock reads up to ${FORM}: deploy the newer one`,
    );
  }
  return {
    heldSinceMs,
    marks: marks.map(([shardId, sequenceNumber, atMs]) => ({ shardId, sequenceNumber, atMs })),
  };
}
