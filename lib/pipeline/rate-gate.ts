/** Lets requests to an API leave as its budget allows: a permit each, out of portions of its line. */
import { earlyMs, nextRequests, planSlot, portionAt, SKEW_MS_MAX, spanMs } from '#core/source/rate';
import type { Portion, Rate } from '#core/source/rate';
import type { Clock } from '#ports/clock';
import type { Entry, RequestGate, Spent } from '#ports/page-source';
import type { RateBudget } from '#ports/rate-budget';
import type { Report } from '#ports/report';

/** Whoever has waited longer may have missed that the API asked to be left alone. */
const UNHEARD_MS_MAX = 1_000;

export interface RateRule {
  readonly pipeline: string;
  /** Whose budget it is: all that name the same share it. */
  readonly api: string;
  readonly rate: Rate;
}

/** What one run allows a request that has to wait. */
export interface WaitRules {
  /** How long it may, and still be answered within the run. */
  waitMsMax(): number;
  /** Makes sure that the run is not another's by then; false when it is already. */
  ensure(waitMs: number): Promise<boolean>;
  /** How long a request that leaves now may take. */
  timeoutMs(): number;
}

/** One a function: a portion may outlive a run. */
export interface RateGate {
  open(rules: WaitRules): RequestGate;
}

/** A table that takes longer is not waited for with a whole part of the line. */
const ASK_MS_MAX = 1_000;

const NOTHING: Portion = { fromMs: 0, usedMs: 0, lengthMs: 0 };

export function rateGate(
  { pipeline, api, rate }: RateRule,
  { budget, clock, report }: { budget: RateBudget; clock: Clock; report: Report },
): RateGate {
  let portion = NOTHING;
  let counts = { asked: 0, sent: 0 };
  let heldUntilMs = 0;
  /** When the table was last asked for it. */
  let heardAtMs = 0;
  /** How long the table takes to answer: what it gives must not be over by then. */
  let askMs = 0;
  let last: Promise<unknown> = Promise.resolve();

  /** @returns when the line is free, where that is too late. */
  async function takePortion(waitMsMax: number): Promise<number | undefined> {
    const requests = nextRequests(counts, rate);
    const askedMs = clock.nowMs();
    const nowMs = askedMs + Math.max(0, Math.floor(askMs - earlyMs(rate)));
    const latestMs = nowMs + Math.max(0, Math.floor(waitMsMax + earlyMs(rate)));
    const taken = await budget.take({ api, nowMs, spanMs: spanMs(requests, rate), latestMs });
    askMs = Math.min(Math.max(clock.nowMs() - askedMs, Math.floor(askMs / 2)), ASK_MS_MAX);
    if (taken.kind === 'later') return taken.fromMs - earlyMs(rate);
    portion = portionAt(taken.fromMs, requests, rate);
    counts = { asked: requests, sent: 0 };
    heldUntilMs = taken.heldUntilMs;
    heardAtMs = askedMs;
    return undefined;
  }

  async function sleepUntil(untilMs: number, signal: AbortSignal): Promise<void> {
    const waitMs = untilMs - clock.nowMs();
    if (waitMs > UNHEARD_MS_MAX) report({ event: 'BudgetWaited', pipeline, api, waitMs });
    await clock.sleep(waitMs);
    signal.throwIfAborted();
    await hear();
  }

  /** Others may have been told of a pause. */
  async function hear(): Promise<void> {
    const nowMs = clock.nowMs();
    if (nowMs - heardAtMs <= UNHEARD_MS_MAX) return;
    heardAtMs = nowMs;
    heldUntilMs = await budget.heldUntilMs(api);
  }

  /** Waits until a permit is no further off than `withinMs`; at 0 there is one at this very moment. */
  async function comeNear(
    rules: WaitRules,
    { signal, withinMs }: { readonly signal: AbortSignal; readonly withinMs: number },
  ): Promise<Spent | Portion> {
    const spent = (untilMs: number) => {
      const notBeforeMs = Math.ceil(untilMs);
      return { kind: 'spent', notBeforeMs, detail: `the budget of ${api} is spent` } as const;
    };
    for (;;) {
      signal.throwIfAborted();
      const plan = planSlot(portion, { rate, nowMs: clock.nowMs(), heldUntilMs });
      switch (plan.kind) {
        case 'now':
          return plan.portion;
        case 'wait': {
          const waitMs = plan.untilMs - clock.nowMs();
          if (waitMs <= withinMs) return portion;
          if (waitMs > rules.waitMsMax() || !(await rules.ensure(waitMs))) {
            return spent(plan.untilMs);
          }
          await sleepUntil(plan.untilMs - withinMs, signal);
          break;
        }
        case 'over': {
          const freeMs = await takePortion(rules.waitMsMax());
          if (freeMs !== undefined) return spent(freeMs);
        }
      }
    }
  }

  async function enter(rules: WaitRules, signal: AbortSignal): Promise<Entry> {
    const near = await comeNear(rules, { signal, withinMs: 0 });
    if ('kind' in near) return near;
    portion = near;
    counts = { ...counts, sent: counts.sent + 1 };
    return { kind: 'granted', timeoutMs: rules.timeoutMs() };
  }

  /** One after the other: what one plans, the next must know. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  }

  return {
    open: (rules) => ({
      approach: (signal, withinMs) =>
        inTurn(async () => {
          const near = await comeNear(rules, { signal, withinMs });
          if ('kind' in near) return near;
          await hear();
          return undefined;
        }),
      enter: (signal) => inTurn(() => enter(rules, signal)),
      async hold(untilMs) {
        heldUntilMs = Math.max(heldUntilMs, untilMs);
        try {
          await budget.hold(api, untilMs + SKEW_MS_MAX);
        } catch (error) {
          // This pipeline waits all the same; the others will be told by the API itself.
          report({ event: 'BudgetNotHeld', pipeline, api, error: String(error) });
        }
      },
    }),
  };
}
