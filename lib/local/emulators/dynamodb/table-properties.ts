/** Reads what a table shall be: a CreateTable request, or the properties of a template. */
import type { JsonInput } from '#local/aws-json';
import { listOf, readDefinitions, readIndex, readKeySchema, readThroughput } from './key-schema.ts';
import type { Definitions, Keys } from './key-schema.ts';
import { emulatorLimit, invalid, invalidValue } from './refusal.ts';
import { tableName } from './state.ts';
import type { IndexSettings, TableSettings } from './table-store.ts';

/** @source DynamoDB developer guide, quotas: secondary indexes. */
const LOCAL_INDEXES_MAX = 5;
const GLOBAL_INDEXES_MAX = 20;
const PROJECTED_NAMES_MAX = 100;

/** @throws {ServiceError} for a table that makes no sense, or has what there is none of here. */
export function readTableProperties(properties: JsonInput): TableSettings {
  for (const name of ['StreamSpecification', 'ImportSourceSpecification']) {
    if (properties[name] !== undefined) throw emulatorLimit(`table property ${name}`);
  }
  const name = tableName(String(properties['TableName'] ?? ''));
  const definitions = readDefinitions(properties['AttributeDefinitions']);
  const keys = readKeySchema(properties['KeySchema'], definitions);
  const indexes = readIndexes(properties, definitions, keys);
  refuseUnused(definitions, [keys, ...indexes]);
  return {
    name,
    ...keys,
    indexes,
    ttlAttribute: readTimeToLive(properties['TimeToLiveSpecification']),
    throughput: readThroughput(properties['ProvisionedThroughput']),
    deletionProtection: isTrue(properties['DeletionProtectionEnabled']),
    recovery: undefined,
    tableClass:
      properties['TableClass'] === undefined ? undefined : String(properties['TableClass']),
    tags: readTags(properties['Tags']),
  };
}

function readIndexes(
  properties: JsonInput,
  definitions: Definitions,
  keys: Keys,
): readonly IndexSettings[] {
  const { LocalSecondaryIndexes: local, GlobalSecondaryIndexes: global } = properties;
  for (const [name, list] of Object.entries({
    LocalSecondaryIndexes: local,
    GlobalSecondaryIndexes: global,
  })) {
    if (Array.isArray(list) && list.length === 0) throw invalidValue(`List of ${name} is empty`);
  }
  if (listOf(local).length > 0 && keys.sortKey === undefined) {
    throw invalidValue(
      'Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex',
    );
  }
  const indexes = [
    ...listOf(local).map((raw) => readIndex(raw, 'local', definitions, keys)),
    ...listOf(global).map((raw) => readIndex(raw, 'global', definitions, keys)),
  ];
  checkIndexes(indexes);
  return indexes;
}

/** @throws {ServiceError} for more indexes than a table has, or two of one name. */
export function checkIndexes(indexes: readonly IndexSettings[]): void {
  const names = indexes.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined) throw invalidValue(`Duplicate index name: ${twice}`);
  const count = (scope: IndexSettings['scope']): number =>
    indexes.filter((index) => index.scope === scope).length;
  if (count('local') > LOCAL_INDEXES_MAX) {
    throw invalidValue(
      `Number of LocalSecondaryIndexes exceeds per-table limit of ${LOCAL_INDEXES_MAX}`,
    );
  }
  if (count('global') > GLOBAL_INDEXES_MAX) {
    throw invalidValue(
      `GlobalSecondaryIndex count exceeds the per-table limit of ${GLOBAL_INDEXES_MAX}`,
    );
  }
  const projected = indexes.reduce(
    (sum, { projection }) => sum + (projection.kind === 'INCLUDE' ? projection.names.length : 0),
    0,
  );
  if (projected > PROJECTED_NAMES_MAX) {
    throw invalidValue(
      `Total number of NonKeyAttributes of all indexes exceeds the limit of ${PROJECTED_NAMES_MAX}`,
    );
  }
}

function refuseUnused(definitions: Definitions, keys: readonly Keys[]): void {
  const used = new Set(
    keys.flatMap(({ partitionKey, sortKey }) =>
      sortKey === undefined ? [partitionKey.name] : [partitionKey.name, sortKey.name],
    ),
  );
  if (definitions.names.every((name) => used.has(name))) return;
  if (keys.length === 1) {
    throw invalidValue(
      'Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions',
    );
  }
  throw invalidValue(
    `Some AttributeDefinitions are not used. AttributeDefinitions: [${definitions.names.join(', ')}], ` +
      `keys used: [${[...used].join(', ')}]`,
  );
}

/** The attribute, if it is enabled. */
export function readTimeToLive(specification: unknown): string | undefined {
  const { AttributeName, Enabled } = (specification ?? {}) as JsonInput;
  if (!isTrue(Enabled)) return undefined;
  if (typeof AttributeName === 'string' && AttributeName !== '') return AttributeName;
  throw invalid('TimeToLiveSpecification.AttributeName is missing');
}

export function readTags(value: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(listOf(value).map(({ Key, Value }) => [String(Key), String(Value)]));
}

/** CloudFormation may write a boolean as text. */
export function isTrue(value: unknown): boolean {
  return value === true || value === 'true';
}
