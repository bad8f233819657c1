/** Lets a request out when its turn comes, showing what is good at that moment. */
import type { Authorize, Credentials } from '#adapters/http/auth/authorize';
import type { Clock } from '#ports/clock';
import type { Entry, NoPage, RequestGate } from '#ports/page-source';
import { AnswerFault, NoPermit } from './answer-fault.ts';
import type { RequestTimer } from './request-timer.ts';

/** In so much time a token endpoint has answered or been given up: a permit further off is not taken yet. */
const RENEWAL_MS = 10_000;

/** How many permits may go by because what was to be shown was over when they came. */
const PERMITS_MAX = 3;

const TOO_SHORT_LIVED =
  'each access token was over before the request that was to show it had its turn: let them live longer';

export interface Passage {
  /**
   * Waits for a permit, behind which the request leaves at once.
   *
   * @returns what it shows: another where the first is over by then; or why it cannot be sent.
   * @throws {NoPermit} where none comes in time.
   */
  enter(first: Credentials): Promise<Credentials | NoPage>;
  /** Waits for the permit of a request that shows the same again. @throws {NoPermit} {AnswerFault} */
  enterAgain(shown: Credentials): Promise<void>;
  /** Hears that the API wants no request before then, and tells who is to know. */
  hold(untilMs: number): Promise<void>;
  /** The latest that was heard. */
  heldUntilMs(): number | undefined;
}

export function passage(
  gate: RequestGate | undefined,
  {
    timer,
    authorize,
    clock,
  }: {
    readonly timer: RequestTimer;
    readonly authorize: Authorize | undefined;
    readonly clock: Clock;
  },
): Passage {
  const { signal } = timer;
  let heldUntilMs: number | undefined;

  async function waitAt(pass: (gate: RequestGate) => Promise<Entry | undefined>) {
    if (gate === undefined) return;
    const entry = await timer.pauseFor(() => pass(gate));
    if (entry?.kind === 'spent') throw new NoPermit(entry);
    if (entry !== undefined) timer.limit(entry.timeoutMs);
  }

  const takePermit = () => waitAt((open) => open.enter(signal));

  /** Fetching a token takes time that a permit does not have: what may be over soon is renewed before. */
  async function renewed(shown: Credentials): Promise<Credentials | NoPage> {
    if (authorize === undefined || shown.untilMs === undefined) return shown;
    await waitAt((open) => open.approach(signal, RENEWAL_MS));
    return isOver(shown, clock.nowMs() + RENEWAL_MS) ? authorize({ signal }) : shown;
  }

  return {
    async enter(first) {
      let shown = first;
      for (let permits = 0; permits < PERMITS_MAX; permits++) {
        const next = await renewed(shown);
        if (next.kind !== 'credentials') return next;
        shown = next;
        await takePermit();
        if (!isOver(shown, clock.nowMs())) return shown;
      }
      return { kind: 'unavailable', detail: TOO_SHORT_LIVED };
    },
    async enterAgain(shown) {
      await takePermit();
      if (isOver(shown, clock.nowMs())) throw new AnswerFault('unavailable', TOO_SHORT_LIVED);
    },
    async hold(untilMs) {
      if (heldUntilMs !== undefined && untilMs <= heldUntilMs) return;
      heldUntilMs = untilMs;
      await gate?.hold(untilMs);
    },
    heldUntilMs: () => heldUntilMs,
  };
}

function isOver({ untilMs = Infinity }: Credentials, nowMs: number): boolean {
  return nowMs >= untilMs;
}
