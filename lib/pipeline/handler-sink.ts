/**
 * Sink over a handler: the user's own code.
 *
 * Always true: a key's events are handed over one call after the other, in order; none is handed over
 * while an earlier one is unfinished; and what a call answers after its time counts for nothing.
 *
 * A shard delivers again whatever stands behind a record that failed, other keys' too: what this
 * process has done of it is not handed over again. A crash forgets that.
 */
import type { Refusal } from '#core/record/refusal';
import type { StreamEvent } from '#core/record/stream-event';
import type { Clock } from '#ports/clock';
import type { Handler, HandlerEnd } from '#ports/handler';
import type { Delivery, Sink, Turn } from '#ports/sink';
import type { Timer } from '#ports/timer';
import { doneLately } from './done-lately.ts';
import { HandlerFailed } from './handler-failed.ts';

/** Of a shard's largest batch twice as many. @source Lambda, Kinesis event source mappings. */
const REMEMBERED_MAX = 20_000;

export function handlerSink(handler: Handler, time: { clock: Clock; timer: Timer }): Sink {
  const done = doneLately(REMEMBERED_MAX);

  /** Settles what was done before; answers the rest. Out of its turn, a record is always handed over. */
  function undone(run: readonly Delivery[], { passage, finish }: Turn): readonly Delivery[] {
    return run.filter(({ place, event }) => {
      const isDone = passage === 'stream' && done.has(event.id);
      if (isDone) finish(place, 'stale');
      return !isDone;
    });
  }

  return {
    kind: 'handler',
    async take(run, turn) {
      let left = undone(run, turn);
      if (left.length === 0) return;
      const calls = callsUntil(handler, time, turn);
      try {
        do {
          const given = handler.per === 'record' ? left.slice(0, 1) : left;
          const end = await calls.hand(given.map(({ event }) => event));
          const ended = end.kind === 'done' ? given : given.filter(isRefusedBy(end));
          if (ended.length === 0) throw new HandlerFailed('it refused what it was not given');
          for (const { place, event } of ended) {
            if (end.kind === 'done') {
              turn.finish(place, 'written');
              done.add(event.id);
            } else if (!(await turn.refuse(place, refusalOf(end.detail)))) {
              // What could not be set aside is not to be overtaken.
              return;
            }
          }
          left = left.filter((one) => !ended.includes(one));
        } while (left.length > 0 && calls.mayHand());
      } finally {
        calls.end();
      }
    },
  };
}

type Refused = Extract<HandlerEnd, { kind: 'refused' }>;

function isRefusedBy({ eventId }: Refused): (delivery: Delivery) => boolean {
  return ({ event }) => eventId === undefined || eventId === event.id;
}

function refusalOf(detail: string): Refusal {
  return { kind: 'refused', reason: 'handler-refused', detail };
}

/** Hands events over until the turn's time is up: whatever is unanswered then has failed. */
function callsUntil(
  handler: Handler,
  { clock, timer }: { clock: Clock; timer: Timer },
  { passage, startUntilMs }: Turn,
) {
  const remainingMs = (): number => Math.max(0, startUntilMs - clock.nowMs());
  const { promise: over, reject } = Promise.withResolvers<never>();
  over.catch(() => undefined);
  const controller = new AbortController();
  const { signal } = controller;
  const callOff = timer(remainingMs(), () => {
    const late = new HandlerFailed('it did not answer in time');
    reject(late);
    controller.abort(late);
  });
  return {
    hand: (events: readonly StreamEvent[]): Promise<HandlerEnd> =>
      Promise.race([over, handler.handle(events, { passage, signal, remainingMs })]),
    /** A clock that was set back gives no time again. */
    mayHand: () => !signal.aborted && clock.nowMs() < startUntilMs,
    end: callOff,
  };
}
