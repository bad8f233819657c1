/** Functions that ask one API under one budget, in virtual time: each with a clock of its own. */
import { memoryRateBudget } from '#adapters/memory/rate-budget';
import type { Rate } from '#core/source/rate';
import { rateGate } from '#pipeline/rate-gate';
import type { WaitRules } from '#pipeline/rate-gate';
import type { RateBudget } from '#ports/rate-budget';
import { diceOf } from '#test/simulation/dice';
import { virtualTime } from '#test/simulation/virtual-time';

export const START_MS = 1_900_000_000_000;

export interface Caller {
  /** How far its clock is ahead. */
  readonly aheadMs: number;
  /** How long the API takes to answer it. */
  readonly answerMs: number;
  /** Between an answer and the next request. */
  readonly restMs: number;
}

export interface RateSchedule {
  readonly seed: number;
  readonly rate: Rate;
  readonly callers: readonly Caller[];
  readonly forMs: number;
  /** One in so many requests and calls of the table kills its function; 0: none does. */
  readonly deathEvery: number;
  /** How long the table takes, there and back, at most. */
  readonly tableMs: number;
  /** How late a timer rings, at most. */
  readonly lateMs: number;
  /** Moments at which the API answers one request with a pause of a second and a half. */
  readonly pausesAtMs?: readonly number[];
}

export interface Sent {
  readonly caller: number;
  readonly atMs: number;
}

export const PAUSE_MS = 1_500;

/** Run it; answers what left, in order, by a clock that is right. */
export async function runCallers(schedule: RateSchedule): Promise<{
  readonly sent: readonly Sent[];
  readonly pauses: readonly { readonly fromMs: number; readonly untilMs: number }[];
}> {
  const time = virtualTime(START_MS);
  const dice = diceOf(schedule.seed);
  const line = memoryRateBudget();
  const endMs = START_MS + schedule.forMs;
  const sent: Sent[] = [];
  const pauses: { fromMs: number; untilMs: number }[] = [];
  const dies = () => schedule.deathEvery > 0 && dice.once(schedule.deathEvery);

  const slowly = async <T>(work: () => Promise<T>): Promise<T> => {
    await time.sleep(dice.below(schedule.tableMs / 2 + 1));
    const answer = await work();
    await time.sleep(dice.below(schedule.tableMs / 2 + 1));
    return answer;
  };
  const budget: RateBudget = {
    take: (ask) => slowly(() => line.take(ask)),
    hold: (api, untilMs) => slowly(() => line.hold(api, untilMs)),
    heldUntilMs: (api) => slowly(() => line.heldUntilMs(api)),
  };
  const rules: WaitRules = {
    waitMsMax: () => 60_000,
    ensure: async () => true,
    timeoutMs: () => 1_000,
  };

  const open = ({ aheadMs }: Caller) => {
    const clock = {
      nowMs: () => time.nowMs() + aheadMs,
      sleep: (ms: number) => time.sleep(ms + dice.below(schedule.lateMs + 1)),
    };
    const rule = { pipeline: 'orders', api: 'shop', rate: schedule.rate };
    return rateGate(rule, { budget, clock, report: () => undefined }).open(rules);
  };

  async function call(caller: Caller, number: number): Promise<void> {
    let gate = open(caller);
    const { signal } = new AbortController();
    while (time.nowMs() < endMs) {
      // Some make ready what they show when their turn is near.
      if (dice.once(3)) await gate.approach(signal, dice.below(2_000));
      // What dies while it waits, or with its permit in hand, sends nothing and gives nothing back.
      await gate.enter(signal);
      if (dies()) {
        gate = open(caller);
        continue;
      }
      sent.push({ caller: number, atMs: time.nowMs() });
      const due = (schedule.pausesAtMs ?? [])[pauses.length];
      const pausesNow = due !== undefined && time.nowMs() >= START_MS + due;
      if (pausesNow) pauses.push({ fromMs: time.nowMs(), untilMs: time.nowMs() + PAUSE_MS });
      await time.sleep(caller.answerMs);
      if (pausesNow) await gate.hold(time.nowMs() - caller.answerMs + caller.aheadMs + PAUSE_MS);
      if (dies()) gate = open(caller);
      await time.sleep(caller.restMs);
    }
  }
  await time.run(Promise.all(schedule.callers.map(call)));
  return { sent, pauses };
}

/** The most that any stretch of time holds beyond `rate × W`: at most the burst. */
export function excessOf(sent: readonly Sent[], { intervalMs }: Rate): number {
  let most = 0;
  for (const [from, first] of sent.entries()) {
    for (let to = from; to < sent.length; to++) {
      const windowMs = (sent[to]?.atMs ?? 0) - first.atMs;
      most = Math.max(most, to - from + 1 - windowMs / intervalMs);
    }
  }
  return most;
}
