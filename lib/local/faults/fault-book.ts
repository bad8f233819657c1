/** The faults of a cloud: added, counted, removed; and those of one moment, made at that moment. */
import type { Clock } from '#local/contracts';
import type { Fault } from './fault.ts';

export interface PlannedFault {
  readonly id: string;
  readonly fault: Fault;
  /** How often it struck. */
  readonly hits: number;
  /** Why it could not, if it tried. */
  readonly failure?: string;
}

export interface FaultEvent extends PlannedFault {
  readonly kind: 'fault-added' | 'fault-hit' | 'fault-failed';
}

/** Those that strike at a moment, and not at what somebody does. */
export type OnceFault = Extract<Fault, { kind: 'split-shard' | 'merge-shards' }>;

export interface FaultBookOptions {
  /** Hears of a fault that is added, that strikes for the first time, and that could not. */
  onEvent?(event: FaultEvent): void;
  /** Does what strikes at a moment. @throws {Error} in one sentence, when it cannot be done. */
  strike?(fault: OnceFault): Promise<void>;
}

export interface Standing {
  readonly id: string;
  readonly fault: Fault;
  readonly addedMs: number;
  hits: number;
  failure?: string;
}

export interface FaultBook {
  /** @returns its id. */
  add(fault: Fault): string;
  list(): readonly PlannedFault[];
  /** @returns false when there is none of this id. */
  remove(id: string): boolean;
  clear(): void;
  /** In the order in which they were added. */
  standings(): Iterable<Standing>;
  hit(standing: Standing): void;
}

export function faultBook(clock: Clock, { onEvent, strike }: FaultBookOptions): FaultBook {
  const standings = new Map<string, Standing>();
  const cancels = new Map<string, () => void>();
  let added = 0;

  const tell = (kind: FaultEvent['kind'], standing: Standing): void =>
    onEvent?.({ kind, ...shown(standing) });
  const hit = (standing: Standing): void => {
    standing.hits += 1;
    if (standing.hits === 1) tell('fault-hit', standing);
  };
  const strikeOnce = async (standing: Standing, fault: OnceFault): Promise<void> => {
    try {
      await strike?.(fault);
      hit(standing);
    } catch (error) {
      standing.failure = error instanceof Error ? error.message : String(error);
      tell('fault-failed', standing);
    }
  };
  const remove = (id: string): boolean => {
    cancels.get(id)?.();
    cancels.delete(id);
    return standings.delete(id);
  };
  return {
    add(fault) {
      added += 1;
      const standing: Standing = { id: `f${added}`, fault, addedMs: clock.nowMs(), hits: 0 };
      standings.set(standing.id, standing);
      tell('fault-added', standing);
      if (fault.kind === 'split-shard' || fault.kind === 'merge-shards') {
        const act = (): void => void strikeOnce(standing, fault);
        cancels.set(standing.id, clock.setTimer(fault.afterMs ?? 0, act));
      }
      return standing.id;
    },
    remove,
    clear() {
      for (const id of standings.keys()) remove(id);
    },
    list: () => [...standings.values()].map(shown),
    standings: () => standings.values(),
    hit,
  };
}

function shown({ id, fault, hits, failure }: Standing): PlannedFault {
  return { id, fault, hits, ...(failure === undefined ? {} : { failure }) };
}
