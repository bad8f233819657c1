/** Prices, and what a quantity costs at one. */
import { assert } from '#core/assert';

export type PriceName =
  | 'shardHour'
  | 'putUnit'
  | 'retentionShardHour'
  | 'longRetention'
  | 'streamHour'
  | 'onDemandIn'
  | 'onDemandOut'
  | 'onDemandRetention'
  | 'lambdaRequest'
  | 'lambdaArmSecond'
  | 'tableWrite'
  | 'tableStorage'
  | 'tableRecovery'
  | 'logIn'
  | 'logKept'
  | 'metric'
  | 'mappingMetric'
  | 'alarm'
  | 'dashboard'
  | 'notification'
  | 'scheduleTick'
  | 'secret'
  | 'secretRequest'
  | 'keyRequest'
  | 'objectPut'
  | 'objectStorage';

export interface Price {
  /** US dollars for `per` of `unit`, without tax or any free allowance. */
  readonly usd: number;
  readonly per: number;
  readonly unit: string;
  /** Dollars for what lies above so many units, rising. */
  readonly beyond?: readonly { readonly above: number; readonly usd: number }[];
  /** Units above which the price is not known. */
  readonly upTo?: number;
  readonly source: string;
  /** `medium`: derived, or of a neighbouring region. */
  readonly confidence: 'high' | 'medium';
}

export interface PriceList {
  /** The day it held. */
  readonly date: string;
  /** By region; what is missing is not known. */
  readonly regions: Readonly<Record<string, Readonly<Partial<Record<PriceName, Price>>>>>;
}

/**
 * What so many units cost, in US dollars, each tier at its own price; undefined where none is known.
 *
 * @example costUsd(2_000_000, { usd: 0.2, per: 1e6, … }); // 0.4
 */
export function costUsd(
  quantity: number,
  { usd, per, beyond = [], upTo = Infinity }: Price,
): number | undefined {
  assert(quantity >= 0, 'nobody uses less than nothing');
  if (quantity > upTo) return undefined;
  const tiers = [{ above: 0, usd }, ...beyond];
  const dollars = tiers.map((tier, at) => {
    const end = Math.min(quantity, tiers[at + 1]?.above ?? Infinity);
    return Math.max(0, end - tier.above) * tier.usd;
  });
  return dollars.reduce((sum, part) => sum + part) / per;
}
