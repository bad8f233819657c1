/** How time passes in a cloud, and when nothing is left to be done in it. */
import type { CloudParts } from '#local/cloud-parts';
import type { Clock } from '#local/contracts';
import { SYSTEM_CLOCK } from '#local/system-clock';
import { isStepped } from './stepped-clock.ts';

export interface CloudSteps {
  /**
   * Lets so much of a stepped clock's time pass, and resolves when all that fell due has run.
   *
   * @throws {Error} when the cloud's clock is not a stepped one.
   */
  step(durationMs: number): Promise<void>;
  /** Resolves when all that was due has run; of a stepped clock, without going on. */
  settle(): Promise<void>;
  /**
   * Resolves when no function runs, and every mapping has finished what was written; a stepped clock
   * goes on as far as that takes.
   *
   * @throws {Error} when that takes longer than `patienceMs` of the cloud's time. Default: a minute,
   *   and of a stepped clock an hour.
   */
  untilIdle(patienceMs?: number): Promise<void>;
  /** True when no function runs, and every mapping has finished what was written. */
  isIdle(): boolean;
}

const PATIENCE_MS = { machine: 60_000, stepped: 60 * 60_000 };
/** Of the machine: between two looks. */
const LOOK_MS = 10;
/** Of a stepped clock: so far at once. */
const STEP_MS = 100;

export function cloudSteps(clock: Clock, parts: CloudParts): CloudSteps {
  const { functions, inProcess, mappings } = parts;
  const isIdle = (): boolean => mappings.isIdle() && functions.running() === 0;
  if (!isStepped(clock)) {
    const settle = (patienceMs: number = PATIENCE_MS.machine): Promise<void> =>
      until(isIdle, patienceMs, () => passed(SYSTEM_CLOCK, LOOK_MS));
    return {
      isIdle,
      async step() {
        throw new Error(
          'The cloud’s clock cannot be stepped: start it with clock: steppedClock().',
        );
      },
      settle: () => settle(),
      untilIdle: settle,
    };
  }
  // A function in its own process lives in the machine's time: it is waited for until it ends.
  const childrenRun = (): boolean => functions.running() > inProcess.running();
  clock.watch(() => childrenRun() || inProcess.isBusy());
  return {
    isIdle,
    step: clock.step,
    settle: clock.settle,
    async untilIdle(patienceMs = PATIENCE_MS.stepped) {
      await clock.settle();
      await until(isIdle, patienceMs, async () => {
        await clock.step(STEP_MS);
        return STEP_MS;
      });
    },
  };
}

/** @param wait answers how much of the patience it took. */
async function until(
  isSo: () => boolean,
  patienceMs: number,
  wait: () => Promise<number>,
): Promise<void> {
  let waitedMs = 0;
  while (!isSo()) {
    if (waitedMs >= patienceMs) throw new Error(`The cloud is not idle after ${waitedMs} ms.`);
    waitedMs += await wait();
  }
}

function passed(clock: Clock, durationMs: number): Promise<number> {
  const fromMs = clock.nowMs();
  return new Promise((resolve) => {
    clock.setTimer(durationMs, () => resolve(clock.nowMs() - fromMs));
  });
}
