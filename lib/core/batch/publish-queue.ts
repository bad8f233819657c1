/**
 * Holds records from their acceptance to their confirmation, and says what may be sent next.
 *
 * Always true: of one partition key at most one record is out, and it is the oldest that is not
 * confirmed. So whatever fails, and in whatever order answers come, the first successful writes of
 * a key stand in the stream in the order given.
 */
import { assert } from '#core/assert';
import { keyLines } from './key-lines.ts';
import type { RequestLimits } from './request-limits.ts';
import { sortedRun } from './sorted-run.ts';
import type { Placed, SortedRun } from './sorted-run.ts';

/** A record that waits to be written. */
export interface Pending {
  readonly partitionKey: string;
  /** Partition key and data together. */
  readonly bytes: number;
}

export interface Entry<R extends Pending> extends Placed {
  /** How many were accepted before it. */
  readonly place: number;
  readonly record: R;
}

/** Lanes whose records go at a pace of their own, and hold up no others. */
export interface Lanes {
  /** The lane of a record, if it has one. */
  laneOf(record: Pending): string | undefined;
  /** Whether a record of the lane may be sent now; a yes is spent. */
  admits(lane: string, bytes: number): boolean;
}

export const NO_LANES: Lanes = { laneOf: () => undefined, admits: () => true };

export interface PublishQueue<R extends Pending> {
  /** Records pushed so far. */
  accepted(): number;
  /** Not confirmed, in bytes. */
  bytes(): number;
  /** Not confirmed, in records. */
  size(): number;
  /** Every record accepted before this many is confirmed. */
  frontier(): number;
  /** Whether a record may go as far as its key is concerned. */
  hasWaiting(): boolean;
  /**
   * Whether a full request can go beside those that are out, and leave enough to fill one for each
   * record of the longest line behind a key: so that the line costs no requests of its own.
   */
  hasRequestToSpare(): boolean;
  /** Whether no record waits for an older one of its key. */
  isUnblocked(): boolean;
  push(record: R): void;
  /**
   * Take the oldest records that may go, in order, until one does not fit: a request.
   *
   * @throws {Defect} when a record alone exceeds the request.
   */
  take(lanes: Lanes): readonly Entry<R>[];
  /** The answer to what was taken: what is not confirmed goes first in a later request. */
  settle(taken: readonly Entry<R>[], isConfirmed: (at: number) => boolean): void;
  /** The lanes in which a record waits. */
  lanes(): readonly string[];
  /** Gives up the lanes as they are: each record's lane is asked for again. */
  forgetLanes(): void;
  /** Gives up all that is not confirmed and not out, in the order accepted. */
  drain(): readonly Entry<R>[];
}

export function publishQueue<R extends Pending>(limits: RequestLimits): PublishQueue<R> {
  const { requestRecordsMax, requestBytesMax } = limits;
  assert(requestRecordsMax >= 1, 'a request holds at least one record');
  const behind = keyLines<Entry<R>>();
  const ready = sortedRun<Entry<R>>();
  const inLanes = new Map<string, SortedRun<Entry<R>>>();
  const confirmedAhead = new Set<number>();
  let accepted = 0;
  let frontier = 0;
  let bytes = 0;
  let size = 0;
  let readyBytes = 0;

  // No getters: each would give every queue a hidden class of its own, which outlives it by far.
  return {
    accepted: () => accepted,
    bytes: () => bytes,
    size: () => size,
    frontier: () => frontier,
    hasWaiting: () => ready.length() > 0 || inLanes.size > 0,
    hasRequestToSpare() {
      const needed = 1 + behind.longest();
      return ready.length() >= needed * requestRecordsMax || readyBytes >= needed * requestBytesMax;
    },
    isUnblocked: () => behind.waiting() === 0,
    push,
    take,
    settle,
    lanes: () => [...inLanes.keys()],
    forgetLanes() {
      for (const lane of inLanes.values()) makeReady(drained(lane));
      inLanes.clear();
    },
    drain() {
      const entries = behind.entries();
      for (const run of [ready, ...inLanes.values()]) entries.push(...drained(run));
      return entries.sort((a, b) => a.place - b.place);
    },
  };

  function push(record: R): void {
    assert(record.bytes <= requestBytesMax, 'every record fits in a request');
    const entry = { place: accepted++, record };
    size++;
    bytes += record.bytes;
    if (!behind.enter(record.partitionKey, entry)) return;
    readyBytes += record.bytes;
    ready.add(entry);
  }

  function makeReady(entries: readonly Entry<R>[]): void {
    for (const { record } of entries) readyBytes += record.bytes;
    ready.merge(entries);
  }

  function take(lanes: Lanes): readonly Entry<R>[] {
    const taken: Entry<R>[] = [];
    let takenBytes = 0;
    const shut = new Set<string>();
    while (taken.length < requestRecordsMax) {
      const lane = oldest(shut);
      const run = lane === undefined ? ready : inLanes.get(lane);
      const entry = run?.first();
      if (entry === undefined) break;
      const { record } = entry;
      const own = lane ?? lanes.laneOf(record);
      if (lane === undefined && own !== undefined) {
        shift(lane);
        enterLane(own, entry);
        continue;
      }
      if (takenBytes + record.bytes > requestBytesMax) break;
      if (lane !== undefined && !lanes.admits(lane, record.bytes)) {
        shut.add(lane);
        continue;
      }
      shift(lane);
      taken.push(entry);
      takenBytes += record.bytes;
    }
    return taken;
  }

  /** The lane with the oldest entry; undefined where that is in none. */
  function oldest(shut: ReadonlySet<string>): string | undefined {
    let place = ready.first()?.place ?? Infinity;
    let found: string | undefined;
    for (const [lane, run] of inLanes) {
      const first = run.first();
      if (first === undefined || first.place > place || shut.has(lane)) continue;
      [found, place] = [lane, first.place];
    }
    return found;
  }

  /** Takes the first away; a lane that is empty is none. */
  function shift(lane: string | undefined): void {
    if (lane === undefined) {
      readyBytes -= ready.shift()?.record.bytes ?? 0;
      return;
    }
    const run = inLanes.get(lane);
    run?.shift();
    if (run?.length() === 0) inLanes.delete(lane);
  }

  function enterLane(lane: string, entry: Entry<R>): void {
    const run = inLanes.get(lane) ?? sortedRun<Entry<R>>();
    inLanes.set(lane, run);
    run.add(entry);
  }

  function settle(taken: readonly Entry<R>[], isConfirmed: (at: number) => boolean): void {
    const again: Entry<R>[] = [];
    taken.forEach((entry, at) => {
      if (!isConfirmed(at)) {
        again.push(entry);
        return;
      }
      size--;
      bytes -= entry.record.bytes;
      confirm(entry.place);
      const next = behind.leave(entry.record.partitionKey);
      if (next !== undefined) again.push(next);
    });
    if (again.length > 0) makeReady(again);
  }

  function confirm(place: number): void {
    if (place !== frontier) {
      confirmedAhead.add(place);
      return;
    }
    do frontier++;
    while (confirmedAhead.delete(frontier));
  }
}

function drained<E extends Placed>(run: SortedRun<E>): readonly E[] {
  const entries: E[] = [];
  for (let entry = run.shift(); entry !== undefined; entry = run.shift()) entries.push(entry);
  return entries;
}
