/** Runs several functions one step at a time, in an order and with deaths that are given. */

/** Parts a task from what it does next: it goes on when it is its turn, or never. */
export interface Stepper {
  /** A step of the task, which may be its last: before its effect or after it. */
  step<T>(effect: () => Promise<T>): Promise<T>;
  /** Until the hand clock stands there. */
  sleep(untilMs: number): Promise<void>;
  isDead(): boolean;
}

export interface Choice {
  /** Which of those that can go on. */
  readonly pick: number;
  /** Whether it dies there; a life more or less is decided by `deathsMax`. */
  readonly dies: boolean;
}

interface Parked {
  readonly id: number;
  readonly wakeMs: number;
  readonly go: () => void;
}

export interface Lockstep {
  /** Begins a task; its promise never ends when it dies. */
  begin(task: (stepper: Stepper) => Promise<void>): void;
  /** The one whose step it is. */
  current(): Stepper;
  /** Lets all run to their end or death. */
  run(choose: (count: number) => Choice): Promise<void>;
}

/** @param clock is set forward when the one who is picked sleeps. */
export function lockstep(clock: { nowMs(): number; advance(ms: number): void }): Lockstep {
  const parked: Parked[] = [];
  const dead = new Set<number>();
  const steppers: Stepper[] = [];
  let running = 0;
  let isParked: (() => void) | undefined;

  const park = (id: number, wakeMs: number) =>
    new Promise<void>((go) => {
      parked.push({ id, wakeMs, go });
      isParked?.();
    });
  const stepperOf = (id: number): Stepper => ({
    async step(effect) {
      await park(id, 0);
      const result = await effect();
      await park(id, 0);
      return result;
    },
    sleep: (untilMs) => park(id, untilMs),
    isDead: () => dead.has(id),
  });

  return {
    begin(task) {
      const id = steppers.length;
      const stepper = stepperOf(id);
      steppers.push(stepper);
      const whole = async () => {
        await stepper.step(async () => undefined);
        await task(stepper);
      };
      void whole().finally(() => isParked?.());
    },
    current: () => steppers[running]!,
    async run(choose) {
      while (parked.length > 0) {
        const { pick, dies } = choose(parked.length);
        const [one] = parked.splice(pick % parked.length, 1);
        if (dies) {
          dead.add(one!.id);
          continue;
        }
        clock.advance(Math.max(0, one!.wakeMs - clock.nowMs()));
        const next = new Promise<void>((resolve) => (isParked = resolve));
        running = one!.id;
        one!.go();
        await next;
      }
    },
  };
}
