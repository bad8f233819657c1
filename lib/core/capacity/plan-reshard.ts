/** Plans the calls that bring a stream from one number of shards to another. */
import { assert } from '#core/assert';

export interface ReshardLimits {
  /** Of one stream. */
  readonly shardsMax: number;
  /** For one stream, in any 24 hours. */
  readonly callsMax: number;
}

/**
 * What UpdateShardCount does, at most; a call at most doubles and at least halves the shards.
 *
 * @source Kinesis API 2013-12-02, UpdateShardCount: ten calls per rolling 24 hours and stream, up to
 * 10,000 shards, and a stream of more is only scaled to less than that.
 */
export const RESHARD_LIMITS: ReshardLimits = { shardsMax: 10_000, callsMax: 10 };

export interface ReshardAsk {
  /** Open shards of the stream. */
  readonly current: number;
  readonly target: number;
  /** For this stream, in the last 24 hours; none unless given. */
  readonly callsMade?: number;
  /** How many more shards the account may open; no limit unless given. */
  readonly accountShardsFree?: number;
}

export type ReshardPlan =
  /** The target of each call in turn; no call where the stream has its target. */
  | { readonly kind: 'planned'; readonly steps: readonly number[] }
  /** One sentence: why no calls lead there. */
  | { readonly kind: 'refused'; readonly detail: string };

/**
 * Plan the fewest calls of UpdateShardCount that lead to `target`, each as far as one may go.
 *
 * While a call works, shards that do not last may count in the account: it may be refused though the
 * plan fits.
 *
 * @throws {Defect} when the stream has no shard.
 * @example planReshard({ current: 3, target: 20 }); // steps 6, 12, 20
 */
export function planReshard(ask: ReshardAsk, limits: ReshardLimits = RESHARD_LIMITS): ReshardPlan {
  const { current, target, callsMade = 0, accountShardsFree = Infinity } = ask;
  const { shardsMax, callsMax } = limits;
  assert(Number.isSafeInteger(current) && current >= 1, 'a stream has a whole number of shards');
  if (target === current) return { kind: 'planned', steps: [] };
  if (!Number.isSafeInteger(target) || target < 1 || target > shardsMax) {
    return refused(`a stream has 1 to ${shardsMax} shards, not ${target}`);
  }
  if (target - current > accountShardsFree) {
    const free = Math.max(0, accountShardsFree);
    return refused(
      `${target - current} more shards are asked for, and the account's limit leaves ${free}`,
    );
  }
  if (current > shardsMax && Math.ceil(current / 2) >= shardsMax) {
    return refused(
      `a stream of more than ${shardsMax} shards is only scaled to less than that, and half of ${current} is not`,
    );
  }
  const steps: number[] = [];
  for (let count = current; count !== target; steps.push(count)) {
    const goal = count > shardsMax ? Math.min(target, shardsMax - 1) : target;
    count = goal > count ? Math.min(goal, 2 * count) : Math.max(goal, Math.ceil(count / 2));
  }
  const callsLeft = Math.max(0, callsMax - callsMade);
  if (steps.length > callsLeft) {
    return refused(
      `it takes ${steps.length} calls from ${current} to ${target} shards, and ${callsLeft} of the ${callsMax} in 24 hours are left`,
    );
  }
  return { kind: 'planned', steps };
}

function refused(detail: string): ReshardPlan {
  return { kind: 'refused', detail };
}
