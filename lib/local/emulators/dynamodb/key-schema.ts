/** Reads key schemas and attribute definitions, of tables and of indexes. */
import { invalid, invalidValue } from './refusal.ts';
import type { IndexSettings, KeyAttribute, Throughput } from './table-store.ts';

export interface Definitions {
  readonly names: readonly string[];
  typeOf(name: string): KeyAttribute['type'] | undefined;
}

export interface Keys {
  readonly partitionKey: KeyAttribute;
  readonly sortKey: KeyAttribute | undefined;
}

type Raw = Readonly<Record<string, unknown>>;

export function readDefinitions(value: unknown): Definitions {
  const list = listOf(value);
  const types = new Map<string, KeyAttribute['type']>();
  for (const { AttributeName, AttributeType } of list) {
    const type = (['S', 'N', 'B'] as const).find((one) => one === AttributeType);
    if (type !== undefined) types.set(String(AttributeName), type);
  }
  return { names: [...types.keys()], typeOf: (name) => types.get(name) };
}

/** @throws {ServiceError} for a schema that makes no sense. */
export function readKeySchema(value: unknown, definitions: Definitions): Keys {
  const schema = listOf(value);
  const [hash, range, ...more] = schema;
  if (hash === undefined || more.length > 0) {
    throw invalid('Invalid KeySchema: one HASH element, and at most one RANGE element');
  }
  const names = schema.map(({ AttributeName }) => String(AttributeName));
  if (names.length > definitions.names.length) {
    throw invalid('Invalid KeySchema: Some index key attribute have no definition');
  }
  const keyOf = (name: unknown): KeyAttribute => {
    const type = definitions.typeOf(String(name));
    if (type !== undefined) return { name: String(name), type };
    throw invalidValue(
      `Some index key attributes are not defined in AttributeDefinitions. Keys: [${names.join(', ')}], ` +
        `AttributeDefinitions: [${definitions.names.join(', ')}]`,
    );
  };
  const keys = names.map(keyOf);
  if (names[0] === names[1]) {
    throw invalid(
      'Both the Hash Key and the Range Key element in the KeySchema have the same name',
    );
  }
  if (hash['KeyType'] !== 'HASH') {
    throw invalid('Invalid KeySchema: The first KeySchemaElement is not a HASH key type');
  }
  if (range !== undefined && range['KeyType'] !== 'RANGE') {
    throw invalid('Invalid KeySchema: The second KeySchemaElement is not a RANGE key type');
  }
  const [partitionKey, sortKey] = keys;
  if (partitionKey === undefined) throw new Error('a schema has a hash key');
  return { partitionKey, sortKey };
}

/** @throws {ServiceError} for an index that makes no sense on a table with these keys. */
export function readIndex(
  raw: Raw,
  scope: IndexSettings['scope'],
  definitions: Definitions,
  table: Keys,
): IndexSettings {
  const name = String(raw['IndexName']);
  const { partitionKey, sortKey } = readKeySchema(raw['KeySchema'], definitions);
  if (scope === 'local' && sortKey === undefined) {
    throw invalidValue(`Index KeySchema does not have a range key for index: ${name}`);
  }
  if (scope === 'local' && partitionKey.name !== table.partitionKey.name) {
    throw invalidValue(
      `Index KeySchema does not have the same leading hash key as table KeySchema for index: ${name}. ` +
        `index hash key: ${partitionKey.name}, table hash key: ${table.partitionKey.name}`,
    );
  }
  return {
    name,
    scope,
    partitionKey,
    sortKey,
    projection: readProjection(raw['Projection']),
    throughput: readThroughput(raw['ProvisionedThroughput']),
  };
}

function readProjection(value: unknown): IndexSettings['projection'] {
  const { ProjectionType: kind, NonKeyAttributes: names } = (value ?? {}) as Raw;
  if (kind === 'INCLUDE') {
    if (!Array.isArray(names)) {
      throw invalidValue('ProjectionType is INCLUDE, but NonKeyAttributes is not specified');
    }
    return { kind, names: names.map(String) };
  }
  if (kind !== 'ALL' && kind !== 'KEYS_ONLY') {
    throw invalidValue(
      `Unknown ProjectionType: ${kind === undefined ? 'null' : JSON.stringify(kind)}`,
    );
  }
  if (names !== undefined && names !== null) {
    throw invalidValue(`ProjectionType is ${kind}, but NonKeyAttributes is specified`);
  }
  return { kind };
}

/** CloudFormation may write the numbers as text. */
export function readThroughput(value: unknown): Throughput | undefined {
  if (value === undefined || value === null) return undefined;
  const { ReadCapacityUnits, WriteCapacityUnits } = value as Raw;
  return {
    ReadCapacityUnits: Number(ReadCapacityUnits),
    WriteCapacityUnits: Number(WriteCapacityUnits),
  };
}

export function listOf(value: unknown): readonly Raw[] {
  return Array.isArray(value) ? value : [];
}
