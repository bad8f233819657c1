/** Keys of items: checked against the table, and turned into bytes that sort as the service sorts. */
import { memberOf, sortableNumber, typeOf, valueBytes } from './attribute-value.ts';
import type { AttributeMap, AttributeValue } from './attribute-value.ts';
import { scattered } from './item-store.ts';
import type { ItemKey } from './item-store.ts';
import { invalid, invalidValue } from './refusal.ts';
import type { KeyAttribute, Table } from './table-store.ts';

/** @source DynamoDB API 2012-08-10, quotas, October 2026. */
const PARTITION_KEY_BYTES_MAX = 2_048;
const SORT_KEY_BYTES_MAX = 1_024;

/** The key of a whole item. @throws {ServiceError} where a key attribute is missing or wrong. */
export function keyOfItem(table: Table, item: AttributeMap): ItemKey {
  const part = (attribute: KeyAttribute, bytesMax: number): Uint8Array => {
    const value = memberOf(item, attribute.name);
    if (value === undefined) throw invalidValue(`Missing the key ${attribute.name} in the item`);
    if (typeOf(value) !== attribute.type) {
      throw invalidValue(
        `Type mismatch for key ${attribute.name} expected: ${attribute.type} actual: ${typeOf(value)}`,
      );
    }
    return checkedBytes(attribute, value, bytesMax);
  };
  return {
    partition: scattered(part(table.partitionKey, PARTITION_KEY_BYTES_MAX)),
    sort: table.sortKey === undefined ? NO_SORT : part(table.sortKey, SORT_KEY_BYTES_MAX),
  };
}

/** The key given as a `Key` parameter: exactly the key attributes. */
export function keyOfParameter(table: Table, key: AttributeMap): ItemKey {
  const expected = [table.partitionKey, ...(table.sortKey === undefined ? [] : [table.sortKey])];
  const matches = expected.every(({ name, type }) => {
    const value = memberOf(key, name);
    return value !== undefined && typeOf(value) === type;
  });
  if (!matches || Object.keys(key).length !== expected.length) {
    throw invalid('The provided key element does not match the schema');
  }
  return keyOfItem(table, key);
}

const NO_SORT = new Uint8Array();

function checkedBytes(
  attribute: KeyAttribute,
  value: AttributeValue,
  bytesMax: number,
): Uint8Array {
  const size = valueBytes(value);
  if (size === 0) {
    throw invalidValue(
      `The AttributeValue for a key attribute cannot contain an empty ${attribute.type === 'S' ? 'string' : 'binary'} ` +
        `value. Key: ${attribute.name}`,
    );
  }
  if (size > bytesMax) {
    throw invalidValue(
      `Size of ${bytesMax === PARTITION_KEY_BYTES_MAX ? 'hashkey' : 'rangekey'} has exceeded the maximum size ` +
        `limit of ${bytesMax} bytes`,
    );
  }
  return keyBytes(value);
}

/** Bytes whose order is the order of the values. */
export function keyBytes(value: AttributeValue): Uint8Array {
  if ('S' in value) return Buffer.from(value.S);
  if ('N' in value) return Buffer.from(sortableNumber(value.N));
  if ('B' in value) return Buffer.from(value.B, 'base64');
  throw invalidValue(`A key is S, N or B, not ${typeOf(value)}`);
}

/** Only the key attributes of an item. */
export function keyAttributes(table: Table, item: AttributeMap): AttributeMap {
  const key: Record<string, AttributeValue> = Object.create(null);
  for (const name of keyNames(table)) {
    const value = memberOf(item, name);
    if (value !== undefined) key[name] = value;
  }
  return key;
}

export function keyNames(table: Table): readonly string[] {
  const { partitionKey, sortKey } = table;
  return sortKey === undefined ? [partitionKey.name] : [partitionKey.name, sortKey.name];
}
