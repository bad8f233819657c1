/** The way between one process and its neighbours: slow, lossy, and cut when the process dies. */
import { AwsError } from '#adapters/aws/aws-error';
import type { Dice } from '#test/simulation/dice';
import type { VirtualTime } from '#test/simulation/virtual-time';

export interface Faults {
  /** Once in so many calls; 0 never. */
  readonly crash: number;
  readonly slow: number;
  /** Refused before anything is done. */
  readonly table: number;
  readonly handler: number;
  readonly quarantine: number;
  readonly checkpoints: number;
  readonly marks: number;
  /** Done, and the answer is lost. */
  readonly unanswered: number;
  /** The answer is lost, and it is done much later. */
  readonly late: number;
}

export const FAULTLESS: Faults = {
  crash: 0,
  slow: 0,
  table: 0,
  handler: 0,
  quarantine: 0,
  checkpoints: 0,
  marks: 0,
  unanswered: 0,
  late: 0,
};

export type Neighbour = 'table' | 'handler' | 'quarantine' | 'checkpoints' | 'marks';

export interface LineWorld {
  readonly time: VirtualTime;
  readonly dice: Dice;
  readonly note: (what: string) => void;
  /** What goes wrong now. */
  readonly faults: () => Faults;
  /** A neighbour refuses everything until then. */
  readonly downUntilMs: ReadonlyMap<Neighbour, number>;
}

export interface Life {
  isAlive: boolean;
  die(): void;
}

export type Call = <T>(to: Neighbour, work: () => Promise<T>) => Promise<T>;

const DELAY_MAX_MS = 20;
const SLOW_MAX_MS = 1_500;
const LATE_MAX_MS = 400;
/** Longer than anything is on its way. */
export const LATEST_MS = SLOW_MAX_MS + LATE_MAX_MS;

export function unsteadyLine(world: LineWorld, life: Life): Call {
  const { time, dice, note, faults, downUntilMs } = world;
  return async (to, work) => {
    await aliveOrNever();
    await travel();
    const fate = fateOf(to);
    if (fate === 'late') void time.sleep(dice.below(LATE_MAX_MS)).then(work);
    // What is on the wire arrives, though its sender be dead.
    const answer = fate === 'done' || fate === 'unanswered' ? { is: await work() } : undefined;
    await travel();
    await aliveOrNever();
    if (fate === 'done' && answer !== undefined) return answer.is;
    throw new AwsError(`${to}: ${fate}`, {
      retryable: fate !== 'down',
      throttled: fate === 'refused' && dice.once(2),
      cause: undefined,
    });
  };

  async function aliveOrNever(): Promise<void> {
    if (life.isAlive && happens('crash')) {
      note('crash');
      life.die();
    }
    if (!life.isAlive) await new Promise<never>(() => undefined);
  }

  async function travel(): Promise<void> {
    if (happens('slow')) await time.sleep(dice.below(SLOW_MAX_MS));
    else if (!dice.once(3)) await time.sleep(dice.below(DELAY_MAX_MS));
  }

  function fateOf(to: Neighbour): 'done' | 'down' | 'refused' | 'unanswered' | 'late' {
    const fate =
      time.nowMs() < (downUntilMs.get(to) ?? 0)
        ? 'down'
        : happens(to)
          ? 'refused'
          : happens('unanswered')
            ? 'unanswered'
            : happens('late')
              ? 'late'
              : 'done';
    if (fate !== 'done') note(`${to} ${fate}`);
    return fate;
  }

  function happens(fault: keyof Faults): boolean {
    const of = faults()[fault];
    return of > 0 && dice.once(of);
  }
}
