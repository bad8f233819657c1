/** PutItem, UpdateItem and DeleteItem: one item, under one condition. */
import { ServiceError } from '#local/aws-json';
import type { JsonInput } from '#local/aws-json';
import { inTransaction } from '#local/storage';
import { mapBytes, memberOf, parseMap } from './attribute-value.ts';
import type { AttributeMap } from './attribute-value.ts';
import { writeCapacity } from './capacity.ts';
import { applyUpdate } from './expression/apply-update.ts';
import { meets } from './expression/evaluate.ts';
import { project, refuseOverlap, resolvePath } from './expression/paths.ts';
import type { ResolvedPath } from './expression/paths.ts';
import { openScope } from './expression/scope.ts';
import type { Scope } from './expression/scope.ts';
import type { Condition } from './expression/syntax.ts';
import type { ItemKey, StoredItem } from './item-store.ts';
import { keyNames, keyOfItem, keyOfParameter } from './keys.ts';
import { invalid, invalidValue, oneOf, onlyKnown } from './refusal.ts';
import { expirySec, tableOf, withFaults } from './state.ts';
import type { DynamoState } from './state.ts';
import type { Table } from './table-store.ts';

/** Everything about one write that is known before the item is read. */
export interface Write {
  readonly table: Table;
  readonly key: ItemKey;
  readonly condition: Condition | undefined;
  readonly scope: Scope;
  /** The item after the write; undefined where there is none. */
  readonly next: (old: AttributeMap | undefined) => AttributeMap | undefined;
  /** The paths that an update names. */
  readonly touched: readonly ResolvedPath[];
}

const ITEM_BYTES_MAX = 400 * 1024;
const COMMON = [
  'TableName',
  'ConditionExpression',
  'ExpressionAttributeNames',
  'ExpressionAttributeValues',
  'ReturnValuesOnConditionCheckFailure',
];
const ANSWER = ['ReturnValues', 'ReturnConsumedCapacity'];

export function planPut(state: DynamoState, input: JsonInput): Write {
  onlyKnown(input, [...COMMON, ...ANSWER, 'Item']);
  const item = parseMap(input['Item']);
  const table = tableOf(state, input);
  const key = keyOfItem(table, item);
  const scope = openScope(input);
  const condition = scope.condition('ConditionExpression');
  scope.close();
  return { table, key, condition, scope, next: () => item, touched: [] };
}

export function planDelete(state: DynamoState, input: JsonInput): Write {
  onlyKnown(input, [...COMMON, ...ANSWER, 'Key']);
  const table = tableOf(state, input);
  const key = keyOfParameter(table, parseMap(input['Key']));
  const scope = openScope(input);
  const condition = scope.condition('ConditionExpression');
  scope.close();
  return { table, key, condition, scope, next: () => undefined, touched: [] };
}

export function planUpdate(state: DynamoState, input: JsonInput): Write {
  onlyKnown(input, [...COMMON, ...ANSWER, 'Key', 'UpdateExpression']);
  const table = tableOf(state, input);
  const keyItem = parseMap(input['Key']);
  const key = keyOfParameter(table, keyItem);
  const scope = openScope(input);
  const actions = scope.update() ?? [];
  const condition = scope.condition('ConditionExpression');
  scope.close();
  const touched = actions.map(({ path }) => resolvePath(path, scope));
  refuseOverlap('UpdateExpression', touched);
  for (const [name] of touched) {
    if (keyNames(table).includes(String(name))) {
      throw invalidValue(
        `Cannot update attribute ${String(name)}. This attribute is part of the key`,
      );
    }
  }
  const next = (old: AttributeMap | undefined): AttributeMap =>
    applyUpdate(actions, old ?? keyItem, scope);
  return { table, key, condition, scope, next, touched };
}

/** @throws {ServiceError} where the condition is not met, with the item if that was asked for. */
export function checkWrite(
  write: Write,
  old: StoredItem | undefined,
  onFailure: 'NONE' | 'ALL_OLD',
): void {
  const { condition, scope } = write;
  if (condition === undefined || meets(condition, old?.item, scope)) return;
  throw new ServiceError('ConditionalCheckFailedException', 'The conditional request failed', {
    members: onFailure === 'ALL_OLD' && old !== undefined ? { Item: old.item } : {},
  });
}

/** Write the item as it is after the write. */
export function applyWrite(
  state: DynamoState,
  { table, key, next, touched }: Write,
  old: StoredItem | undefined,
): StoredItem | undefined {
  const item = next(old?.item);
  if (item === undefined) {
    if (old !== undefined) state.items.delete(table, key);
    return undefined;
  }
  const bytes = mapBytes(item);
  if (bytes > ITEM_BYTES_MAX) {
    const what = touched.length > 0 ? 'Item size to update' : 'Item size';
    throw invalid(`${what} has exceeded the maximum allowed size`);
  }
  const expiresSec = expirySec(table, item);
  state.items.put(table, key, { item, bytes, expiresSec });
  return { item, bytes };
}

type Returned = 'NONE' | 'ALL_OLD' | 'ALL_NEW' | 'UPDATED_OLD' | 'UPDATED_NEW';

const operation =
  (
    name: string,
    plan: (state: DynamoState, input: JsonInput) => Write,
    returned: readonly ['NONE', ...Returned[]],
  ) =>
  (state: DynamoState, input: JsonInput): object => {
    const returnValues = oneOf<Returned>(input, 'ReturnValues', returned);
    const onFailure = oneOf(input, 'ReturnValuesOnConditionCheckFailure', [
      'NONE',
      'ALL_OLD',
    ] as const);
    const write = plan(state, input);
    return withFaults(state, write.table, name, () =>
      inTransaction(state.storage, () => {
        const old = state.items.get(write.table, write.key);
        checkWrite(write, old, onFailure);
        const fresh = applyWrite(state, write, old);
        const attributes = pick(returnValues, write, old?.item, fresh?.item);
        return {
          ...(attributes === undefined ? {} : { Attributes: attributes }),
          ...writeCapacity(input, write.table, Math.max(old?.bytes ?? 0, fresh?.bytes ?? 0)),
        };
      }),
    );
  };

function pick(
  returned: Returned,
  { touched }: Write,
  old: AttributeMap | undefined,
  fresh: AttributeMap | undefined,
): AttributeMap | undefined {
  if (returned === 'NONE') return undefined;
  const item = returned === 'ALL_OLD' || returned === 'UPDATED_OLD' ? old : fresh;
  if (item === undefined || returned.startsWith('ALL')) return item;
  const part = project(
    item,
    touched.filter(([name]) => memberOf(item, String(name)) !== undefined),
  );
  return Object.keys(part).length === 0 ? undefined : part;
}

export const putItem = operation('PutItem', planPut, ['NONE', 'ALL_OLD']);
export const deleteItem = operation('DeleteItem', planDelete, ['NONE', 'ALL_OLD']);
export const updateItem = operation('UpdateItem', planUpdate, [
  'NONE',
  'ALL_OLD',
  'ALL_NEW',
  'UPDATED_OLD',
  'UPDATED_NEW',
]);
