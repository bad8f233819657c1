/**
 * Stops a consumer that would empty its stream into quarantine.
 *
 * Always true: while it is open nothing is set aside, so each shard stands still at its first record
 * that would be, and loses nothing; records before that, and of other keys, are stored as ever.
 */
import { NOTHING_RECENT, applyRecords, decideTrip } from '#core/breaker/refusal-share';
import type { BreakerRule } from '#core/breaker/refusal-share';
import type { RefusalReason } from '#core/record/refusal';
import type { BreakerMark, BreakerStore, OpenBreaker } from '#ports/breaker-store';
import type { Clock } from '#ports/clock';
import type { Report } from '#ports/report';

export interface BreakerOptions {
  readonly pipeline: string;
  readonly consumer: string;
  readonly breaker: BreakerRule;
  /** Names this code; see OpenBreaker. */
  readonly code: string;
}

export interface Breaker {
  /** Counts a batch before any of it is worked on. */
  begin(received: number, refused: readonly RefusalReason[]): BatchBreaker;
}

export interface BatchBreaker {
  /** Counts a record of the batch whose refusal was not known at its beginning. */
  count(reason: RefusalReason): void;
  /**
   * Whether a refused record may be set aside.
   *
   * @throws a retryable error when the mark cannot be read or written.
   */
  admits(): Promise<boolean>;
  /** Whether a record of the batch was held; nothing is in flight any more when it answers. */
  hasHeld(): Promise<boolean>;
}

/** For records out of their turn: a person sent them, and the shard does not wait for them. */
export const NO_BREAKER: BatchBreaker = {
  count() {},
  admits: async () => true,
  hasHeld: async () => false,
};

export function consumerBreaker(
  { pipeline, consumer, breaker: rule, code }: BreakerOptions,
  { marks, clock, report }: { marks: BreakerStore; clock: Clock; report: Report },
): Breaker {
  const of = { pipeline, consumer };
  let recent = NOTHING_RECENT;
  let isLookedAt = false;

  return {
    begin(received, refused) {
      recent = applyRecords(recent, { received, refused }, rule);
      let held = false;
      let mark: BreakerMark | undefined;
      const look = async (): Promise<void> => {
        mark = await standing();
      };
      // New code takes away what other code found, even where it refuses nothing; where that fails
      // the next batch does.
      let last: Promise<unknown> = isLookedAt ? Promise.resolve() : look().catch(() => undefined);
      const admit = async (): Promise<boolean> => {
        mark ??= await standing();
        const open = mark.open ?? (await trip(mark));
        mark = { ...mark, open };
        held ||= open !== undefined;
        return open === undefined;
      };
      const inTurn = (): Promise<boolean> => {
        const turn = last.then(admit);
        last = turn.catch(() => undefined);
        return turn;
      };
      return {
        count(reason) {
          recent = applyRecords(recent, { received: 0, refused: [reason] }, rule);
        },
        admits: inTurn,
        async hasHeld() {
          await last;
          return held;
        },
      };
    },
  };

  /** The mark, less what other code found: that is over with a deploy. */
  async function standing(): Promise<BreakerMark> {
    const mark = await marks.read(of);
    isLookedAt = true;
    const { open } = mark;
    if (open === undefined || open.code === code) return mark;
    await marks.close(of, { letUntilMs: mark.letUntilMs, seen: open });
    report({ event: 'BreakerClosed', ...of, openMs: clock.nowMs() - open.sinceMs });
    return { ...mark, open: undefined };
  }

  async function trip({ letUntilMs }: BreakerMark): Promise<OpenBreaker | undefined> {
    if (clock.nowMs() < letUntilMs) {
      recent = NOTHING_RECENT;
      return undefined;
    }
    const found = decideTrip(recent, rule);
    if (found === undefined) return undefined;
    const open = { ...found, sinceMs: clock.nowMs(), code };
    await marks.open(of, open);
    report({ event: 'BreakerOpened', ...of, ...found });
    return open;
  }
}
