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
import type { Sink, SinkOutcome, Turn } from '#ports/sink';
import type { Timer } from '#ports/timer';
import { doneLately } from './done-lately.ts';
import { HandlerFailed } from './handler-failed.ts';

type Placed = readonly [place: number, event: StreamEvent];

const DONE: SinkOutcome = { kind: 'written' };

/** Of a shard's largest batch twice as many. @source Lambda, Kinesis event source mappings. */
const REMEMBERED_MAX = 20_000;

export function handlerSink(handler: Handler, time: { clock: Clock; timer: Timer }): Sink {
  const { clock } = time;
  const done = doneLately(REMEMBERED_MAX);

  /** Settles what was done before; answers the rest. Out of its turn, a record is always handed over. */
  async function undone(run: readonly StreamEvent[], turn: Turn): Promise<readonly Placed[]> {
    const isDone = ([, { id }]: Placed): boolean => turn.passage === 'stream' && done.has(id);
    const placed = [...run.entries()];
    for (const [place] of placed.filter(isDone)) await turn.settle(place, { kind: 'stale' });
    return placed.filter((one) => !isDone(one));
  }

  return {
    kind: 'handler',
    async take(run, turn) {
      let left = await undone(run, turn);
      if (left.length === 0) return;
      const calls = callsUntil(handler, time, turn);
      try {
        do {
          const given = handler.per === 'record' ? left.slice(0, 1) : left;
          const end = await calls.hand(given.map(([, event]) => event));
          const ended =
            end.kind === 'done' ? given : given.filter(([, { id }]) => refuses(end, id));
          if (ended.length === 0) throw new HandlerFailed('it refused what it was not given');
          const outcome = end.kind === 'done' ? DONE : refusalOf(end.detail);
          for (const [place, { id }] of ended) {
            // What could not be set aside is not to be overtaken.
            if (!(await turn.settle(place, outcome))) return;
            if (end.kind === 'done') done.add(id);
          }
          left = left.filter((one) => !ended.includes(one));
        } while (left.length > 0 && clock.nowMs() < turn.startUntilMs);
      } finally {
        calls.end();
      }
    },
  };
}

type Refused = Extract<HandlerEnd, { kind: 'refused' }>;

function refuses({ eventId }: Refused, id: string): boolean {
  return eventId === undefined || eventId === id;
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
    end: callOff,
  };
}
