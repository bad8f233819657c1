/** Keys of items: checked against table and indexes, and turned into bytes that sort as the service sorts. */
import type { ServiceError } from '#local/aws-json';
import { memberOf, typeOf } from './attribute-value.ts';
import type { AttributeMap, AttributeValue } from './attribute-value.ts';
import { sortableNumber } from './compare-values.ts';
import { NO_BYTES, scattered } from './item-store.ts';
import type { ItemKey } from './item-store.ts';
import { invalid, invalidValue } from './refusal.ts';
import type { KeyAttribute, Place, SecondaryIndex, Table } from './table-store.ts';
import { valueBytes } from './value-size.ts';

/** @source DynamoDB developer guide, quotas: partition keys and sort keys. */
const PARTITION_KEY_BYTES_MAX = 2_048;
const SORT_KEY_BYTES_MAX = 1_024;

/** The key of a whole item. @throws {ServiceError} where a key attribute is missing or wrong. */
export function keyOfItem(table: Table, item: AttributeMap): ItemKey {
  for (const { name, type } of keyAttributesOf(table)) {
    const value = memberOf(item, name);
    if (value === undefined) throw invalidValue(`Missing the key ${name} in the item`);
    if (typeOf(value) !== type) {
      throw invalidValue(
        `Type mismatch for key ${name} expected: ${type} actual: ${typeOf(value)}`,
      );
    }
    if (isEmpty(value)) {
      throw invalid(`One or more parameter values are not valid. ${emptyKey(type)} Key: ${name}`);
    }
  }
  return checkedKey(table, item);
}

/** The key given as a `Key` parameter: exactly the key attributes. */
export function keyOfParameter(table: Table, key: AttributeMap): ItemKey {
  const attributes = keyAttributesOf(table);
  if (Object.keys(key).length !== attributes.length) throw otherSchema();
  return keyWithin(table, key);
}

/** The key of a place within more attributes. */
export function keyWithin(place: Place, key: AttributeMap): ItemKey {
  for (const { name, type } of keyAttributesOf(place)) {
    const value = memberOf(key, name);
    if (value === undefined || typeOf(value) !== type) throw otherSchema();
    if (isEmpty(value)) throw invalidValue(`${emptyKey(type)} Key: ${name}`);
  }
  return checkedKey(place, key);
}

function otherSchema(): ServiceError {
  return invalid('The provided key element does not match the schema');
}

function checkedKey(place: Place, item: AttributeMap): ItemKey {
  const problem = sizeProblem(place, item);
  if (problem !== undefined) throw invalidValue(problem);
  return placeKey(place, item) ?? NO_KEY;
}

const NO_KEY: ItemKey = { partition: NO_BYTES, sort: NO_BYTES, base: NO_BYTES };

/** Where an item with all attributes of the key lies; undefined where it has not all. */
export function placeKey(
  { partitionKey, sortKey }: Place,
  item: AttributeMap,
): ItemKey | undefined {
  const partition = memberOf(item, partitionKey.name);
  const sort = sortKey === undefined ? undefined : memberOf(item, sortKey.name);
  if (partition === undefined || (sortKey !== undefined && sort === undefined)) return undefined;
  return {
    partition: scattered(keyBytes(partition)),
    sort: sort === undefined ? NO_BYTES : keyBytes(sort),
    base: NO_BYTES,
  };
}

function sizeProblem({ partitionKey, sortKey }: Place, item: AttributeMap): string | undefined {
  const bytes = (attribute: KeyAttribute | undefined): number => {
    const value = attribute === undefined ? undefined : memberOf(item, attribute.name);
    return value === undefined ? 0 : valueBytes(value);
  };
  if (bytes(partitionKey) > PARTITION_KEY_BYTES_MAX) {
    // The service writes no blank there.
    return `Size of hashkey has exceeded the maximum size limit of${PARTITION_KEY_BYTES_MAX} bytes`;
  }
  if (bytes(sortKey) > SORT_KEY_BYTES_MAX) {
    return `Aggregated size of all range keys has exceeded the size limit of ${SORT_KEY_BYTES_MAX} bytes`;
  }
  return undefined;
}

function isEmpty(value: AttributeValue): boolean {
  return ('S' in value && value.S === '') || ('B' in value && value.B === '');
}

function emptyKey(type: string): string {
  const what = type === 'S' ? 'string' : 'binary';
  return `The AttributeValue for a key attribute cannot contain an empty ${what} value.`;
}

/**
 * Refuse an item that an index could not hold under its key.
 *
 * @param write The service has other words for an update, whose values it does not know before.
 */
export function checkIndexKeys(table: Table, item: AttributeMap, write: 'put' | 'update'): void {
  for (const index of table.indexes) {
    for (const attribute of keyAttributesOf(index)) {
      const value = memberOf(item, attribute.name);
      if (value === undefined || isTableKey(table, attribute.name)) continue;
      if (typeOf(value) !== attribute.type) throw wrongIndexType(index, attribute, value, write);
      if (isEmpty(value)) throw emptyIndexKey(index, attribute, write);
    }
    const problem = sizeProblem(index, item);
    if (problem === undefined) continue;
    throw write === 'put'
      ? invalidValue(problem)
      : invalid(`${UPDATED_KEY} beyond allowed size limits`);
  }
}

const UPDATED_KEY = 'The update expression attempted to update the secondary index key';

function wrongIndexType(
  { name }: SecondaryIndex,
  attribute: KeyAttribute,
  value: AttributeValue,
  write: 'put' | 'update',
): ServiceError {
  return write === 'update'
    ? invalid(`${UPDATED_KEY} to unsupported type`)
    : invalidValue(
        `Type mismatch for Index Key ${attribute.name} Expected: ${attribute.type} ` +
          `Actual: ${typeOf(value)} IndexName: ${name}`,
      );
}

function emptyIndexKey(
  { name }: SecondaryIndex,
  attribute: KeyAttribute,
  write: 'put' | 'update',
): ServiceError {
  return write === 'update'
    ? invalid(`${UPDATED_KEY} to a value that is not supported. ${emptyKey(attribute.type)}`)
    : invalid(
        'One or more parameter values are not valid. A value specified for a secondary index key is not ' +
          `supported. ${emptyKey(attribute.type)} IndexName: ${name}, IndexKey: ${attribute.name}`,
      );
}

function isTableKey(table: Table, name: string): boolean {
  return keyNames(table).includes(name);
}

/** Bytes whose order is the order of the values. */
export function keyBytes(value: AttributeValue): Uint8Array {
  if ('S' in value) return Buffer.from(value.S);
  if ('N' in value) return Buffer.from(sortableNumber(value.N));
  if ('B' in value) return Buffer.from(value.B, 'base64');
  throw invalidValue(`A key is S, N or B, not ${typeOf(value)}`);
}

/** Only the attributes of these names. */
export function pickNames(item: AttributeMap, names: Iterable<string>): AttributeMap {
  const picked: Record<string, AttributeValue> = Object.create(null);
  for (const name of names) {
    const value = memberOf(item, name);
    if (value !== undefined) picked[name] = value;
  }
  return picked;
}

export function keyAttributesOf({ partitionKey, sortKey }: Place): readonly KeyAttribute[] {
  return sortKey === undefined ? [partitionKey] : [partitionKey, sortKey];
}

export function keyNames(place: Place): readonly string[] {
  return keyAttributesOf(place).map(({ name }) => name);
}
