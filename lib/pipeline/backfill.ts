/**
 * Reads a source's history slice by slice onto the live stream, beside live polls.
 *
 * Each slice is a poll of its own: it publishes, confirms, quarantines and only then saves, so that a crash
 * costs at most a second copy of an event. What it publishes gives way to every live version of the
 * same record (`observedText`), whenever either arrives.
 */
import { FRESH_CURSOR } from '#core/source/cursor';
import { decodeCursor, encodeCursor } from '#core/source/cursor-text';
import type { Incremental } from '#core/source/page-query';
import type { Slice } from '#core/source/plan-slices';
import { sliceEnd, withinSlice } from '#core/source/slice-spans';
import { timestampOfMs } from '#core/record/timestamp';
import type { BackfillPlace } from '#ports/backfill-store';
import type { PollStateStore } from '#ports/poll-state';
import { poll } from './poll.ts';
import type { PollOptions, PollWorld } from './poll-options.ts';

export interface BackfillOptions {
  /** Of the live poller; its source takes an end. */
  readonly poll: PollOptions;
  readonly incremental: Incremental;
  readonly slices: readonly Slice[];
  /** Where an earlier run has come to. */
  readonly place: BackfillPlace | undefined;
  /** Rises each time that the backfill is taken up. */
  readonly epoch: number;
  /** No page is begun once it aborts. */
  readonly signal: AbortSignal;
}

export type BackfillWorld = Omit<PollWorld, 'states' | 'remainingMs' | 'signal' | 'count'> & {
  /** Keeps how far it came; false where another has taken the backfill up. */
  move(place: BackfillPlace): Promise<boolean>;
  /** Told before each slice, and of what it waits for: undefined once it goes on. */
  onSlice(slice: Slice, done: number): void;
  onWait(why: string | undefined): void;
};

export type BackfillEnd =
  | { readonly kind: 'done' }
  | { readonly kind: 'interrupted' }
  /** Another has taken it up. */
  | { readonly kind: 'lost' }
  | { readonly kind: 'failed'; readonly detail: string };

/** A wait beyond this is slept outside of a poll. */
const POLL_MS = 600_000;
/** Consumers that are behind are looked at again after so long. */
const HELD_BACK_MS = 5_000;

export async function backfill(
  options: BackfillOptions,
  world: BackfillWorld,
): Promise<BackfillEnd> {
  let place = options.place ?? { cursor: undefined, sent: undefined };
  let notBeforeMs = 0;
  let counter = 0;
  // Over all slices: a later one outranks an earlier. Whoever takes it up has a higher epoch.
  const count = () => ++counter;
  for (const [done, slice] of options.slices.entries()) {
    if (isDone(slice, place, options.incremental)) continue;
    world.onSlice(slice, done);
    const end = await readSlice(slice);
    if (end !== undefined) return end;
  }
  return { kind: 'done' };

  async function readSlice(slice: Slice): Promise<BackfillEnd | undefined> {
    for (;;) {
      if (options.signal.aborted) return { kind: 'interrupted' };
      const outcome = await poll(sliceOptions(slice, options), {
        ...world,
        states: sliceStates(slice),
        count,
        signal: options.signal,
        remainingMs: () => POLL_MS,
      });
      switch (outcome.kind) {
        case 'caught-up':
          if (isDone(slice, place, options.incremental)) return undefined;
          return { kind: 'failed', detail: NOT_SETTLED };
        case 'out-of-time':
          break;
        case 'held-back':
          await wait(outcome.detail, HELD_BACK_MS);
          break;
        case 'parked':
          await wait(
            outcome.detail ?? 'the source asked to wait',
            outcome.notBeforeMs - world.clock.nowMs(),
          );
          break;
        case 'lease-held':
        case 'lease-lost':
        case 'paused':
          return { kind: 'lost' };
        case 'failed':
          return { kind: 'failed', detail: outcome.detail };
      }
    }
  }

  async function wait(why: string, ms: number): Promise<void> {
    world.onWait(why);
    await world.clock.sleep(Math.max(0, ms));
    world.onWait(undefined);
  }

  /** The backfill's place as one poller's state: who holds it is settled elsewhere. */
  function sliceStates({ fromMs }: Slice): PollStateStore {
    return {
      async acquire({ pipeline }) {
        const fresh = { ...FRESH_CURSOR, boundary: timestampOfMs(fromMs) };
        const { cursor = encodeCursor(fresh), sent } = place;
        return {
          kind: 'acquired',
          lease: { pipeline, epoch: options.epoch, untilMs: Infinity },
          state: { cursor, sent, notBeforeMs },
        };
      },
      async save(lease, { cursor, sent = place.sent, ...state }) {
        const next = { cursor, sent };
        if (!(await world.move(next))) return undefined;
        place = next;
        notBeforeMs = state.notBeforeMs;
        return lease;
      },
      async release(_lease, _end, sent = place.sent) {
        place = { ...place, sent };
      },
    };
  }
}

const NOT_SETTLED =
  'the source was read, but by its own clock the slice is still to come: is the Date of its answers right?';

/** Everything before the slice's end was published, as the cursor says. */
export function isDone(
  slice: Slice,
  { cursor }: Pick<BackfillPlace, 'cursor'>,
  incremental: Incremental,
): boolean {
  const { boundary } = decodeCursor(cursor);
  return boundary !== null && boundary >= sliceEnd(slice, incremental);
}

/** Of the records alone: the present deletes of another feed are no part of a stretch of history. */
function sliceOptions(
  slice: Slice,
  { poll: { deletes: _, ...options }, incremental }: BackfillOptions,
): PollOptions {
  return {
    ...options,
    source: { ...options.source, incremental: withinSlice(slice, incremental) },
    untilMs: slice.toMs,
    passage: 'backfill',
  };
}
