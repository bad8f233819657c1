/** Reads what a write asks for: everything about it that is known before the item is read. */
import type { JsonInput } from '#local/aws-json';
import { parseMap, typeOf } from './attribute-value.ts';
import type { AttributeMap } from './attribute-value.ts';
import { applyUpdate } from './expression/apply-update.ts';
import { resolvePath } from './expression/paths.ts';
import type { ResolvedPath } from './expression/paths.ts';
import { openScope } from './expression/scope.ts';
import type { Scope } from './expression/scope.ts';
import type { Condition, SetOperand, Update } from './expression/syntax.ts';
import type { ItemKey } from './item-store.ts';
import {
  checkIndexKeys,
  keyAttributesOf,
  keyNames,
  keyOfItem,
  keyOfParameter,
  pickNames,
} from './keys.ts';
import { refuseNestedKeys } from './nested-keys.ts';
import { invalid, invalidValue } from './refusal.ts';
import { tableOf } from './state.ts';
import type { DynamoState } from './state.ts';
import type { Table } from './table-store.ts';
import { mapBytes } from './value-size.ts';

export interface Write {
  readonly table: Table;
  readonly key: ItemKey;
  /** The key's attributes. */
  readonly keyItem: AttributeMap;
  readonly condition: Condition | undefined;
  readonly scope: Scope;
  /** The item after the write; undefined where there is none. */
  readonly next: (old: AttributeMap | undefined) => AttributeMap | undefined;
  /** The paths that an update names. */
  readonly touched: readonly ResolvedPath[];
}

/** @source DynamoDB developer guide, quotas: item size. */
export const ITEM_BYTES_MAX = 400 * 1024;

export function planPut(state: DynamoState, input: JsonInput): Write {
  const item = parseMap(input['Item']);
  if (mapBytes(item) > ITEM_BYTES_MAX) {
    throw invalid('Item size has exceeded the maximum allowed size');
  }
  const { condition, scope } = readCondition(input);
  const table = tableOf(state, input['TableName']);
  const key = keyOfItem(table, item);
  checkIndexKeys(table, item, 'put');
  const keyItem = pickNames(item, keyNames(table));
  return { table, key, keyItem, condition, scope, next: () => item, touched: [] };
}

export function planDelete(state: DynamoState, input: JsonInput): Write {
  const keyItem = parseMap(input['Key']);
  const { condition, scope } = readCondition(input);
  const table = tableOf(state, input['TableName']);
  const key = keyOfParameter(table, keyItem);
  return { table, key, keyItem, condition, scope, next: () => undefined, touched: [] };
}

function readCondition(input: JsonInput): Pick<Write, 'condition' | 'scope'> {
  const scope = openScope(input, ['ConditionExpression']);
  const condition = scope.condition('ConditionExpression');
  scope.close();
  return { condition, scope };
}

export function planUpdate(state: DynamoState, input: JsonInput): Write {
  const keyItem = parseMap(input['Key']);
  const scope = openScope(input, ['UpdateExpression', 'ConditionExpression']);
  const update = scope.update() ?? { sections: [], actions: [] };
  const condition = scope.condition('ConditionExpression');
  scope.close();
  const table = tableOf(state, input['TableName']);
  const key = keyOfParameter(table, keyItem);
  const touched = update.actions.map(({ path }) => resolvePath(path, scope));
  refuseKeys(table, touched);
  refuseNestedKeys(table, [...touched, ...documentPaths(update, scope)]);
  refuseIndexTypes(table, update, touched, scope);
  return {
    table,
    key,
    keyItem,
    condition,
    scope,
    touched,
    next(old) {
      const item = applyUpdate(update, old ?? keyItem, scope);
      checkIndexKeys(table, item, 'update');
      return item;
    },
  };
}

/** What a SET reads of documents. */
function documentPaths({ actions }: Update, scope: Scope): readonly ResolvedPath[] {
  const paths: ResolvedPath[] = [];
  const collect = (value: SetOperand): void => {
    if (value.kind === 'path' && value.steps.length > 1) paths.push(resolvePath(value, scope));
    if (value.kind === 'call') value.operands.forEach(collect);
    if (value.kind === 'sum') [value.left, value.right].forEach(collect);
  };
  for (const action of actions) if (action.section === 'SET') collect(action.value);
  return paths;
}

function refuseKeys(table: Table, touched: readonly ResolvedPath[]): void {
  const names = keyNames(table);
  for (const [name] of touched) {
    if (!names.includes(String(name))) continue;
    throw invalidValue(
      `Cannot update attribute ${String(name)}. This attribute is part of the key`,
    );
  }
}

/** What an action says of its type beforehand; what it takes from the item shows when it is done. */
function refuseIndexTypes(
  table: Table,
  { actions }: Update,
  touched: readonly ResolvedPath[],
  scope: Scope,
): void {
  if (table.indexes.length === 0) return;
  for (const [at, action] of actions.entries()) {
    const [name, ...deeper] = touched[at] ?? [];
    if (deeper.length > 0 || action.section === 'REMOVE') continue;
    const actual = writtenType(action.value, scope);
    if (actual === undefined) continue;
    for (const index of table.indexes) {
      const key = keyAttributesOf(index).find((attribute) => attribute.name === name);
      if (key === undefined || key.type === actual) continue;
      throw invalidValue(
        `Type mismatch for Index Key ${key.name} Expected: ${key.type} Actual: ${actual} IndexName: ${index.name}`,
      );
    }
  }
}

function writtenType(value: SetOperand, scope: Scope): string | undefined {
  if (value.kind === 'value') return typeOf(scope.value(value.name));
  if (value.kind === 'sum') return 'N';
  return value.kind === 'call' && value.name === 'list_append' ? 'L' : undefined;
}
