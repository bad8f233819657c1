/** How large the items of one partition key are, in a table with local indexes: for those who ask. */
import type { JsonInput } from '#local/aws-json';
import { pickNames } from './keys.ts';
import type { Write } from './plan-write.ts';
import type { DynamoState } from './state.ts';

const GIB = 1024 ** 3;

type Metrics = { readonly ItemCollectionKey: object; readonly SizeEstimateRangeGB: number[] };

/** The member `ItemCollectionMetrics` of an answer about one item. */
export function collectionMetrics(state: DynamoState, input: JsonInput, write: Write): object {
  const metrics = measure(state, input, write);
  return metrics === undefined ? {} : { ItemCollectionMetrics: metrics };
}

/** The same of an answer about several tables. */
export function collectionMetricsByTable(
  state: DynamoState,
  input: JsonInput,
  writes: readonly Write[],
): object {
  if (input['ReturnItemCollectionMetrics'] !== 'SIZE') return {};
  const tables: Record<string, Metrics[]> = {};
  for (const write of writes) {
    const metrics = measure(state, input, write);
    if (metrics !== undefined) (tables[write.table.name] ??= []).push(metrics);
  }
  return { ItemCollectionMetrics: tables };
}

/** @source DynamoDB API 2012-08-10, ItemCollectionMetrics: a lower and an upper bound. */
function measure(
  { items }: DynamoState,
  input: JsonInput,
  { table, key, keyItem }: Write,
): Metrics | undefined {
  if (input['ReturnItemCollectionMetrics'] !== 'SIZE') return undefined;
  const local = table.indexes.filter(({ scope }) => scope === 'local');
  if (local.length === 0) return undefined;
  const bytes = [table, ...local].reduce(
    (total, place) => total + items.partitionBytes(place, key.partition),
    0,
  );
  const lower = Math.floor(bytes / GIB);
  const ItemCollectionKey = pickNames(keyItem, [table.partitionKey.name]);
  return { ItemCollectionKey, SizeEstimateRangeGB: [lower, lower + 1] };
}
