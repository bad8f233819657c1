/** Makes faults that are data into failures: which of them strikes what, and how often each did. */
import type { Chance, Clock, FaultPlan } from '#local/contracts';
import { faultBook } from './fault-book.ts';
import type { FaultBook, FaultBookOptions, Standing } from './fault-book.ts';
import { faultHooks } from './fault-hooks.ts';
import type { FindFault } from './fault-hooks.ts';
import type { Fault, FaultKindName } from './fault.ts';
import { serviceName } from './operation-of.ts';

/** All hooks, and the list of faults, which may change while the cloud runs. */
export interface PlannedFaults
  extends Required<FaultPlan>, Pick<FaultBook, 'add' | 'list' | 'remove' | 'clear'> {}

/** Of several faults that fit, the one that was added first strikes. */
export function planFaults(
  faults: readonly Fault[],
  chance: Chance,
  clock: Clock,
  options: FaultBookOptions = {},
): PlannedFaults {
  const { standings, hit, ...book } = faultBook(clock, options);
  const find: FindFault = <K extends FaultKindName>(
    kinds: readonly K[],
    target: Readonly<Record<string, string | number>>,
  ) => {
    for (const standing of standings()) {
      const { fault } = standing;
      if (!kinds.some((kind) => kind === fault.kind)) continue;
      if (!aims(fault, target) || !isDue(standing, clock.nowMs()) || !isDrawn(fault, chance)) {
        continue;
      }
      hit(standing);
      return fault as Extract<Fault, { kind: K }>;
    }
    return undefined;
  };
  for (const fault of faults) book.add(fault);
  return { ...faultHooks(find), ...book };
}

/** What a fault names must be what is there; what it does not name may be anything. */
function aims(fault: Fault, target: Readonly<Record<string, string | number>>): boolean {
  return Object.entries(target).every(([name, actual]) => {
    const wanted: unknown = Reflect.get(fault, name);
    if (wanted === undefined || wanted === '*') return true;
    return name === 'service' ? serviceName(String(wanted)) === actual : wanted === actual;
  });
}

interface Timing {
  readonly times?: number;
  readonly share?: number;
  readonly afterMs?: number;
  readonly forMs?: number;
}

function isDue({ fault, hits, addedMs }: Standing, nowMs: number): boolean {
  const { times = Infinity, afterMs = 0, forMs = Infinity }: Timing = fault;
  const fromMs = addedMs + afterMs;
  return hits < times && nowMs >= fromMs && nowMs < fromMs + forMs;
}

/** Nothing is drawn where nothing is left to chance. */
function isDrawn(fault: Fault, chance: Chance): boolean {
  const { share = 1 }: Timing = fault;
  return share >= 1 || chance() < share;
}
