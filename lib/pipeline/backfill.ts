/**
 * Reads a source's history slice by slice onto the live stream, beside live polls.
 *
 * Each slice is a poll of its own: it publishes, confirms, quarantines and only then saves, so that a crash
 * costs at most a second copy of an event. What it publishes gives way to every live version of the
 * same record (`observedText`), whenever either arrives.
 */
import { decodeCursor } from '#core/source/cursor-text';
import type { Incremental } from '#core/source/page-query';
import type { Slice } from '#core/source/plan-slices';
import { sliceEnd, withinSlice } from '#core/source/slice-spans';
import { isoText, timestampOfMs } from '#core/record/timestamp';
import type { TelemetryEvent } from '#core/telemetry-event';
import type { BackfillPlace } from '#ports/backfill-store';
import { placeKeeper } from './backfill-place.ts';
import type { PlaceWorld } from './backfill-place.ts';
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

export type BackfillWorld = Omit<PollWorld, 'states' | 'remainingMs' | 'signal' | 'count'> &
  PlaceWorld & {
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
  const { incremental, signal } = options;
  const place = placeKeeper(options, world);
  const heard = waitsHeard(world);
  let counter = 0;
  // Over all slices: a later one outranks an earlier. Whoever takes it up has a higher epoch.
  const count = () => ++counter;
  for (const [done, slice] of options.slices.entries()) {
    if (isDone(slice, place.now(), incremental)) continue;
    world.onSlice(slice, done);
    const end = await readSlice(slice);
    if (end !== undefined) return end;
  }
  return { kind: 'done' };

  async function readSlice(slice: Slice): Promise<BackfillEnd | undefined> {
    for (;;) {
      if (signal.aborted) return interrupted();
      const outcome = await poll(sliceOptions(slice, options), {
        ...world,
        report: heard.report,
        states: place.statesOf(slice),
        count,
        signal,
        remainingMs: () => POLL_MS,
      });
      switch (outcome.kind) {
        case 'caught-up':
          if (isDone(slice, place.now(), incremental)) return undefined;
          return { kind: 'failed', detail: NOT_SETTLED };
        case 'out-of-time':
          break;
        case 'held-back':
          await wait(outcome.detail, HELD_BACK_MS);
          break;
        case 'parked':
          await waitUntil(outcome.notBeforeMs, outcome.detail);
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

  async function interrupted(): Promise<BackfillEnd> {
    const untilMs = heard.untilMs();
    // Whoever ends it is not kept from that by a wait that cannot be stored.
    if (untilMs > world.clock.nowMs()) await place.leaveAlone(untilMs).catch(() => undefined);
    return { kind: 'interrupted' };
  }

  async function waitUntil(untilMs: number, why = 'the source asked to be left alone') {
    const until = isoText(timestampOfMs(Math.ceil(untilMs)));
    await wait(`${why}, until ${until}`, untilMs - world.clock.nowMs());
  }

  async function wait(why: string, ms: number): Promise<void> {
    world.onWait(why);
    await world.clock.sleep(Math.max(0, ms));
    world.onWait(undefined);
  }
}

/** A wait that fits into a poll is slept there and not stored: it is for whoever ends the poll to store it. */
function waitsHeard({ clock, report }: Pick<BackfillWorld, 'clock' | 'report'>) {
  let untilMs = 0;
  return {
    untilMs: () => untilMs,
    report(event: TelemetryEvent): void {
      if (event.event === 'SourceWaited') untilMs = clock.nowMs() + event.waitMs;
      report(event);
    },
  };
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
function sliceOptions(slice: Slice, { poll: options, incremental }: BackfillOptions): PollOptions {
  return {
    ...options,
    deletes: undefined,
    source: { ...options.source, incremental: withinSlice(slice, incremental) },
    untilMs: slice.toMs,
    passage: 'backfill',
  };
}
