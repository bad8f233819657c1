/** PutItem, UpdateItem and DeleteItem: one item, under one condition. */
import { ServiceError } from '#local/aws-json';
import type { JsonInput } from '#local/aws-json';
import { memberOf } from './attribute-value.ts';
import type { AttributeMap } from './attribute-value.ts';
import { consumed, spentByWrite } from './capacity.ts';
import { collectionMetrics } from './collection-metrics.ts';
import { meets } from './expression/evaluate.ts';
import { project } from './expression/paths.ts';
import type { StoredItem } from './item-store.ts';
import { ITEM_BYTES_MAX, planDelete, planPut, planUpdate } from './plan-write.ts';
import type { Write } from './plan-write.ts';
import { invalid } from './refusal.ts';
import { maintainIndexes } from './secondary-index.ts';
import type { IndexWrite } from './secondary-index.ts';
import { expirySec, withFaults } from './state.ts';
import type { DynamoState } from './state.ts';
import { mapBytes } from './value-size.ts';

/** @throws {ServiceError} where the condition is not met, with the item if that was asked for. */
export function checkWrite(write: Write, old: StoredItem | undefined, input: JsonInput): void {
  const { condition, scope } = write;
  if (condition === undefined || meets(condition, old?.item, scope)) return;
  const shows = input['ReturnValuesOnConditionCheckFailure'] === 'ALL_OLD' && old !== undefined;
  throw new ServiceError('ConditionalCheckFailedException', 'The conditional request failed', {
    members: shows ? { Item: old.item } : {},
  });
}

/** What a write left behind. */
export interface Done {
  readonly fresh: StoredItem | undefined;
  readonly indexWrites: readonly IndexWrite[];
}

/** The item after the write. @throws {ServiceError} when there can be no such item. */
export function itemAfter(write: Write, old: StoredItem | undefined): StoredItem | undefined {
  const item = write.next(old?.item);
  if (item === undefined) return undefined;
  const bytes = mapBytes(item);
  if (bytes > ITEM_BYTES_MAX) {
    const what = write.touched.length > 0 ? 'Item size to update' : 'Item size';
    throw invalid(`${what} has exceeded the maximum allowed size`);
  }
  return { item, bytes };
}

/** Store the item after the write, here and in the indexes. */
export function applyWrite(
  { items }: DynamoState,
  { table, key }: Write,
  old: StoredItem | undefined,
  fresh: StoredItem | undefined,
): Done {
  if (fresh !== undefined) items.put(table, key, fresh, expirySec(table, fresh.item));
  else if (old !== undefined) items.delete(table, key);
  const indexWrites =
    table.indexes.length === 0
      ? []
      : maintainIndexes(items, table, key, { old: old?.item, fresh: fresh?.item });
  return { fresh, indexWrites };
}

const operation =
  (
    name: string,
    plan: (state: DynamoState, input: JsonInput) => Write,
    returned: readonly string[] | undefined,
  ) =>
  (state: DynamoState, input: JsonInput): object => {
    const returnValues = String(input['ReturnValues'] ?? 'NONE');
    if (returned?.includes(returnValues) === false) {
      throw invalid(`ReturnValues can only be ${returned.join(' or ')}`);
    }
    const write = plan(state, input);
    return withFaults(state, write.table, name, () => {
      const work = (): object => perform(state, write, input, returnValues);
      // One statement is its own transaction.
      return write.table.indexes.length === 0 ? work() : state.items.atomically(work);
    });
  };

function perform(state: DynamoState, write: Write, input: JsonInput, returnValues: string): object {
  const { table, key } = write;
  const old = state.items.get(table, key);
  checkWrite(write, old, input);
  const { fresh, indexWrites } = applyWrite(state, write, old, itemAfter(write, old));
  const attributes = pick(returnValues, write, old?.item, fresh?.item);
  const bytes = Math.max(old?.bytes ?? 0, fresh?.bytes ?? 0);
  return {
    ...(attributes === undefined ? {} : { Attributes: attributes }),
    ...consumed(input, spentByWrite(table, bytes, indexWrites)),
    ...collectionMetrics(state, input, write),
  };
}

function pick(
  returned: string,
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

const OF_A_WHOLE = ['ALL_OLD', 'NONE'];

export const putItem = operation('PutItem', planPut, OF_A_WHOLE);
export const deleteItem = operation('DeleteItem', planDelete, OF_A_WHOLE);
export const updateItem = operation('UpdateItem', planUpdate, undefined);
