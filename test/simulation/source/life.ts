import type { Dice } from '#test/simulation/dice';

/** Of one process: it ends at a step that is set beforehand, and then nothing of it goes on. */
export interface Life {
  readonly isAlive: () => boolean;
  readonly death: Promise<undefined>;
  /** From now on, so many steps: calls of a port, and what they answer. */
  endsAt(step: number): void;
  die(): void;
  /** What was begun is done, though who began it be dead. */
  step<T>(work: () => Promise<T>): Promise<T>;
}

export function lifeOf(dice: Dice): Life {
  let isAlive = true;
  let left = Infinity;
  let dies: (value: undefined) => void = () => undefined;
  const death = new Promise<undefined>((resolve) => (dies = resolve));
  const life: Life = {
    isAlive: () => isAlive,
    death,
    endsAt: (step) => void (left = step),
    die() {
      isAlive = false;
      dies(undefined);
    },
    async step(work) {
      if (isAlive && --left <= 0 && dice.once(2)) life.die();
      if (!isAlive) return never();
      const result = await work();
      if (isAlive && left <= 0) life.die();
      return isAlive ? result : never();
    },
  };
  return life;
}

/** One of its own each time: whatever waits for it is let go with it. */
function never(): Promise<never> {
  return new Promise(() => undefined);
}
