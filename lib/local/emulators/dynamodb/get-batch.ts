/** BatchGetItem: many items in one request, as many as an answer holds. */
import type { JsonInput } from '#local/aws-json';
import { parseMap } from './attribute-value.ts';
import type { AttributeMap } from './attribute-value.ts';
import { consumedByTable, readKind, readUnits, spentByRead } from './capacity.ts';
import type { Spent } from './capacity.ts';
import { readProjection, shown } from './get-item.ts';
import type { Get } from './get-item.ts';
import { keyOfParameter } from './keys.ts';
import { refuseNestedKeys } from './nested-keys.ts';
import { invalid } from './refusal.ts';
import { tableOf, throttled } from './state.ts';
import type { DynamoState } from './state.ts';
import { refuseTwice } from './write-batch.ts';

/** @source DynamoDB API 2012-08-10, BatchGetItem. */
const KEYS_MAX = 100;
const ANSWER_BYTES_MAX = 16 * 1024 * 1024;

interface TableAsk {
  /** The table as the request names it. */
  readonly given: string;
  readonly ask: JsonInput;
  readonly gets: readonly (Get & { readonly raw: unknown })[];
}

export function batchGetItem(state: DynamoState, input: JsonInput): object {
  const entries = Object.entries(input['RequestItems'] as Record<string, JsonInput>);
  const asks = readAsks(state, entries);
  const Responses: Record<string, AttributeMap[]> = {};
  const UnprocessedKeys: Record<string, object> = {};
  const spent: Spent[] = [];
  const room = { bytes: ANSWER_BYTES_MAX };
  for (const { given, ask, gets } of asks) {
    const left: unknown[] = [];
    const found: AttributeMap[] = (Responses[given] = []);
    const fault = state.faults.onTable?.(gets[0]?.table.name ?? given, 'BatchGetItem');
    for (const [index, get] of gets.entries()) {
      const skipped =
        fault === 'throttle' ||
        state.faults.onBatchItem?.(get.table.name, index) === 'unprocessed' ||
        room.bytes <= 0;
      const stored = skipped ? undefined : state.items.get(get.table, get.key);
      if (skipped || (stored !== undefined && stored.bytes > room.bytes)) {
        left.push(get.raw);
        continue;
      }
      room.bytes -= stored?.bytes ?? 0;
      spent.push(spentByRead(get.table, readUnits(stored?.bytes ?? 0, readKind(ask))));
      if (stored !== undefined) found.push(shown(stored, get.paths));
    }
    if (left.length > 0) UnprocessedKeys[given] = { ...ask, Keys: left };
  }
  if (spent.length === 0) throw throttled(asks[0]?.gets[0]?.table);
  return { Responses, UnprocessedKeys, ...consumedByTable(input, spent) };
}

function readAsks(
  state: DynamoState,
  entries: readonly (readonly [string, JsonInput])[],
): readonly TableAsk[] {
  const prepared = entries.map(([given, ask]) => {
    const paths = readProjection(ask);
    const keys = (ask['Keys'] as readonly unknown[]).map((raw) => ({ raw, item: parseMap(raw) }));
    return { given, ask, paths, keys };
  });
  if (prepared.reduce((count, { keys }) => count + keys.length, 0) > KEYS_MAX) {
    throw invalid('Too many items requested for the BatchGetItem call');
  }
  const asks = prepared.map(({ given, ask, paths, keys }) => {
    const table = tableOf(state, given);
    refuseNestedKeys(table, paths ?? []);
    const gets = keys.map(({ raw, item }) => ({
      table,
      raw,
      paths,
      key: keyOfParameter(table, item),
    }));
    return { given, ask, gets };
  });
  refuseTwice(
    asks.flatMap(({ gets }) => gets),
    'Provided list of item keys contains duplicates',
  );
  return asks;
}
