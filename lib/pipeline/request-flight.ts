/** The requests to a stream that are on their way, and what their answers say. */
import { assert } from '#core/assert';
import type { Entry, PublishQueue } from '#core/batch/publish-queue';
import { backoffMs, PUT_BACKOFF } from '#core/source/backoff';
import type { PutOutcome } from '#ports/stream-writer';
import type { PublishEnd, PublishOptions, PublishWorld, SizedRecord } from './publish.ts';

/** Requests in a row that wrote nothing, before the stream is taken for unavailable. */
const FRUITLESS_PUTS_MAX = 12;
/** Shards that throttle may be all there is: so long without one record, and they are as good as gone. */
const DRY_MS_MAX = 30_000;

export interface RequestFlight<R extends SizedRecord> {
  size(): number;
  /** Sends a request; its answer is told to the queue. */
  start(taken: readonly Entry<R>[]): void;
  /** Why no other may follow, if that is so. */
  end(): PublishEnd | undefined;
  /** Milliseconds that the stream is to be left alone. */
  quietMs(): number;
  tally(): { readonly requests: number; readonly resent: number };
}

/** @param onLanding is called after each answer. */
export function requestFlight<R extends SizedRecord>(
  queue: PublishQueue<R>,
  { pipeline }: PublishOptions,
  { writer, clock, chance, report, pacer, signal }: PublishWorld,
  onLanding: () => void,
): RequestFlight<R> {
  let size = 0;
  let requests = 0;
  let resent = 0;
  let fruitless = 0;
  let quietUntilMs = 0;
  let writtenMs = clock.nowMs();
  let end: PublishEnd | undefined;

  return {
    size: () => size,
    start(taken) {
      size++;
      requests++;
      void send(taken);
    },
    end: () => end,
    quietMs: () => Math.max(0, quietUntilMs - clock.nowMs()),
    tally: () => ({ requests, resent }),
  };

  async function send(taken: readonly Entry<R>[]): Promise<void> {
    const outcomes = await answered(taken);
    queue.settle(taken, (at) => outcomes[at]?.kind === 'written');
    if (outcomes.length > 0) learn(taken, outcomes);
    size--;
    onLanding();
  }

  /** One outcome a record; none when no request can follow. */
  async function answered(taken: readonly Entry<R>[]): Promise<readonly PutOutcome[]> {
    try {
      const outcomes = await writer.put(
        taken.map(({ record }) => record.record),
        signal,
      );
      assert(outcomes.length === taken.length, 'a writer answers every record');
      return outcomes;
    } catch (error) {
      end ??= { kind: 'failed', error };
      return [];
    }
  }

  function learn(taken: readonly Entry<R>[], outcomes: readonly PutOutcome[]): void {
    pacer?.learn(taken, outcomes);
    const unwritten = outcomes.filter(({ kind }) => kind !== 'written').length;
    if (unwritten === 0) {
      fruitless = 0;
      writtenMs = clock.nowMs();
      return;
    }
    resent += unwritten;
    report({ event: 'PutIncomplete', pipeline, ...countOutcomes(outcomes) });
    if (unwritten < taken.length) {
      // The stream is alive: what failed is hurried on, so that what waits for it may follow.
      fruitless = 0;
      writtenMs = clock.nowMs();
      return;
    }
    const isPaced = taken.every((one, at) => outcomes[at]?.kind === 'throttled' && isInLane(one));
    if (!isPaced) {
      fruitless++;
      quietUntilMs = clock.nowMs() + backoffMs(fruitless, PUT_BACKOFF, chance());
    }
    const isDry = isPaced && clock.nowMs() - writtenMs >= DRY_MS_MAX;
    if (isDry || fruitless === FRUITLESS_PUTS_MAX) end ??= { kind: 'stream-unavailable' };
  }

  function isInLane({ record }: Entry<R>): boolean {
    return pacer?.laneOf(record) !== undefined;
  }
}

function countOutcomes(outcomes: readonly PutOutcome[]) {
  const counts = { written: 0, throttled: 0, failed: 0, unknown: 0 };
  for (const { kind } of outcomes) counts[kind]++;
  return counts;
}
