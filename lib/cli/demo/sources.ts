/** The demo's sources: where each answers, and where its rows say what the judge must know. */
import type { RowPlaces } from '#cli/reconcile/judge';
import { startDemoSource } from './demo-source.ts';
import type { DemoSource } from './demo-source.ts';

interface SourceFacts {
  readonly path: string;
  readonly places: RowPlaces;
  /** Both of one shop, so that payments are for orders that exist. */
  readonly isShop: boolean;
}

/** By the name of the pipeline that reads it. */
export const SOURCES = {
  orders: {
    path: '/orders',
    places: { key: 'order_id', change: 'revision', deleted: 'deleted_at' },
    isShop: true,
  },
  payments: {
    path: '/v2/payments',
    places: { key: 'payment_id', change: 'version', deleted: 'voided' },
    isShop: true,
  },
  quakes: {
    path: '/fdsnws/event/1/query',
    places: { key: 'id', change: 'properties.updated' },
    isShop: false,
  },
} as const satisfies Readonly<Record<string, SourceFacts>>;

export type SourceName = keyof typeof SOURCES;
export const SOURCE_NAMES = Object.keys(SOURCES) as SourceName[];

export const isSourceName = (name: string): name is SourceName => Object.hasOwn(SOURCES, name);

const TOKEN = 'a-token-of-the-demo';

/** What the pipelines read beside the URLs: `QUAKES_START` is the first day of the replayed week. */
export const SOURCE_SETTINGS: Readonly<Record<string, string>> = {
  ORDERS_API_TOKEN: TOKEN,
  PAYMENTS_API_TOKEN: TOKEN,
  QUAKES_START: '2018-01-31',
};

/** Start one as a process. @throws {CliError} when it does not listen. */
export async function startSource(
  name: SourceName,
  { seed, changes }: { readonly seed: number; readonly changes: number },
): Promise<DemoSource> {
  const shop = SOURCES[name].isShop ? ['--changes', String(changes), '--token', TOKEN] : [];
  return await startDemoSource(`${name}-api.ts`, ['--seed', String(seed), ...shop]);
}
