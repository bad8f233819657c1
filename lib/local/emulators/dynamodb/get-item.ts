/** GetItem, and one item of the operations that get many. */
import type { JsonInput } from '#local/aws-json';
import { parseMap } from './attribute-value.ts';
import type { AttributeMap } from './attribute-value.ts';
import { consumed, readKind, readUnits, spentByRead } from './capacity.ts';
import { project } from './expression/paths.ts';
import type { ResolvedPath } from './expression/paths.ts';
import { openScope } from './expression/scope.ts';
import type { ItemKey, StoredItem } from './item-store.ts';
import { keyOfParameter } from './keys.ts';
import { refuseNestedKeys } from './nested-keys.ts';
import { tableOf, withFaults } from './state.ts';
import type { DynamoState } from './state.ts';
import type { Table } from './table-store.ts';

export interface Get {
  readonly table: Table;
  readonly key: ItemKey;
  /** Undefined: everything. */
  readonly paths: readonly ResolvedPath[] | undefined;
}

/** Reads what is asked of one item. */
export function planGet(state: DynamoState, input: JsonInput): Get {
  const keyItem = parseMap(input['Key']);
  const paths = readProjection(input);
  const table = tableOf(state, input['TableName']);
  const key = keyOfParameter(table, keyItem);
  refuseNestedKeys(table, paths ?? []);
  return { table, key, paths };
}

export function readProjection(input: JsonInput): readonly ResolvedPath[] | undefined {
  const scope = openScope(input, ['ProjectionExpression']);
  const paths = scope.projection();
  scope.close();
  return paths;
}

export function shown({ item }: StoredItem, paths: Get['paths']): AttributeMap {
  return paths === undefined ? item : project(item, paths);
}

export function getItem(state: DynamoState, input: JsonInput): object {
  const { table, key, paths } = planGet(state, input);
  return withFaults(state, table, 'GetItem', () => {
    const found = state.items.get(table, key);
    const units = readUnits(found?.bytes ?? 0, readKind(input));
    return {
      ...(found === undefined ? {} : { Item: shown(found, paths) }),
      ...consumed(input, spentByRead(table, units)),
    };
  });
}
