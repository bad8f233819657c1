/** Puts prices to what is used in a month. */
import { costUsd } from './price-list.ts';
import type { Price, PriceList, PriceName } from './price-list.ts';

/** An average month, as AWS counts: 365 days × 24 h ÷ 12. */
export const HOURS_PER_MONTH = 730;
export const SEC_PER_MONTH = HOURS_PER_MONTH * 3_600;

/** What kind of thing is paid for. */
export type BillGroup = (typeof BILL_GROUPS)[number];

/** In the order of a bill. */
const BILL_GROUPS = ['stream', 'functions', 'tables', 'watching', 'others'] as const;

export interface Usage {
  readonly group: BillGroup;
  /** In words: 'shards'. */
  readonly what: string;
  readonly price: PriceName;
  /** Of a month, in the price's unit; undefined when nobody has described it. */
  readonly quantity: number | undefined;
}

export interface BillLine extends Usage {
  /** US dollars; undefined when quantity or price is unknown. */
  readonly usd: number | undefined;
  readonly pricedAt: Price | undefined;
}

export interface Bill {
  readonly lines: readonly BillLine[];
  /** The known lines together, in US dollars. */
  readonly usd: number;
  /** Whether every line is known; if not, the sum is the least it costs. */
  readonly isComplete: boolean;
}

/** Lines come group by group; an unknown region has no price for any. */
export function billOf(usages: readonly Usage[], prices: PriceList, region: string): Bill {
  const known = Object.hasOwn(prices.regions, region) ? prices.regions[region] : undefined;
  const grouped = BILL_GROUPS.flatMap((of) => usages.filter(({ group }) => group === of));
  const lines = grouped.map((usage) => {
    const pricedAt = known?.[usage.price];
    const { quantity } = usage;
    const usd =
      quantity === undefined || pricedAt === undefined ? undefined : costUsd(quantity, pricedAt);
    return { ...usage, usd, pricedAt };
  });
  return {
    lines,
    usd: lines.reduce((total, { usd = 0 }) => total + usd, 0),
    isComplete: lines.every(({ usd }) => usd !== undefined),
  };
}
