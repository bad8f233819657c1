/** Tables: their keys and their time to live. */
import { randomUUID } from 'node:crypto';
import type { JsonInput } from '#local/aws-json';
import type { Storage } from '#local/contracts';
import { emulatorLimit, invalid, invalidValue } from './refusal.ts';

export interface KeyAttribute {
  readonly name: string;
  readonly type: 'S' | 'N' | 'B';
}

export interface Table {
  readonly row: number;
  readonly id: string;
  readonly name: string;
  readonly arn: string;
  readonly createdMs: number;
  readonly partitionKey: KeyAttribute;
  readonly sortKey: KeyAttribute | undefined;
  /** The attribute that holds the second of an item's end, where there is one. */
  ttlAttribute: string | undefined;
}

export interface TableSettings {
  readonly name: string;
  readonly partitionKey: KeyAttribute;
  readonly sortKey: KeyAttribute | undefined;
  readonly ttlAttribute: string | undefined;
}

export interface TableStore {
  readonly tables: ReadonlyMap<string, Table>;
  add(settings: TableSettings, identity: { arn: string; createdMs: number }): Table;
  saveTimeToLive(table: Table, attribute: string | undefined): void;
  remove(table: Table): void;
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS dynamodb_table (
    row INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, name TEXT NOT NULL UNIQUE, arn TEXT NOT NULL,
    created_ms INTEGER NOT NULL, keys TEXT NOT NULL, ttl_attribute TEXT
  ) STRICT;`;

export function openTableStore(storage: Storage): TableStore {
  storage.exec(SCHEMA);
  const insert = storage.prepare(
    'INSERT INTO dynamodb_table (id, name, arn, created_ms, keys, ttl_attribute) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const updateTtl = storage.prepare('UPDATE dynamodb_table SET ttl_attribute = ? WHERE row = ?');
  const remove = storage.prepare('DELETE FROM dynamodb_table WHERE row = ?');
  const tables = new Map<string, Table>();
  for (const row of storage.prepare('SELECT * FROM dynamodb_table').all()) {
    const [partitionKey, sortKey] = JSON.parse(String(row['keys'])) as [
      KeyAttribute,
      KeyAttribute?,
    ];
    tables.set(String(row['name']), {
      row: Number(row['row']),
      id: String(row['id']),
      name: String(row['name']),
      arn: String(row['arn']),
      createdMs: Number(row['created_ms']),
      partitionKey,
      sortKey,
      ttlAttribute: row['ttl_attribute'] === null ? undefined : String(row['ttl_attribute']),
    });
  }
  return {
    tables,
    add(settings, { arn, createdMs }) {
      const { name, partitionKey, sortKey, ttlAttribute } = settings;
      const keys = JSON.stringify(sortKey === undefined ? [partitionKey] : [partitionKey, sortKey]);
      const id = randomUUID();
      const { lastInsertRowid } = insert.run(id, name, arn, createdMs, keys, ttlAttribute ?? null);
      const table: Table = { ...settings, row: Number(lastInsertRowid), id, arn, createdMs };
      tables.set(name, table);
      return table;
    },
    saveTimeToLive(table, attribute) {
      table.ttlAttribute = attribute;
      updateTtl.run(attribute ?? null, table.row);
    },
    remove(table) {
      remove.run(table.row);
      tables.delete(table.name);
    },
  };
}

const NOT_HERE = [
  'GlobalSecondaryIndexes',
  'LocalSecondaryIndexes',
  'StreamSpecification',
  'ImportSourceSpecification',
];

/**
 * Read the properties of AWS::DynamoDB::Table or GlobalTable, or a CreateTable request.
 *
 * @throws {ServiceError} for a schema that makes no sense, or that holds an index or a stream.
 */
export function readTableProperties(properties: JsonInput): TableSettings {
  const unsupported = NOT_HERE.find((name) => properties[name] !== undefined);
  if (unsupported !== undefined) throw emulatorLimit(`table property ${unsupported}`);
  const name = String(properties['TableName'] ?? '');
  if (!/^[a-zA-Z0-9_.-]{3,255}$/.test(name)) {
    throw invalid(
      `Invalid table/index name.  Table/index names must be between 3 and 255 characters long, and may ` +
        `contain only the characters a-z, A-Z, 0-9, '_', '-', and '.': ${name}`,
    );
  }
  const schema = listOf(properties['KeySchema']);
  const hash = schema.filter(({ KeyType }) => KeyType === 'HASH');
  const range = schema.filter(({ KeyType }) => KeyType === 'RANGE');
  const [hashKey] = hash;
  if (hashKey === undefined || hash.length > 1 || range.length > 1 || schema[0] !== hashKey) {
    throw invalid(
      'Invalid KeySchema: one HASH element comes first, and at most one RANGE element second',
    );
  }
  const definitions = listOf(properties['AttributeDefinitions']);
  if (definitions.length !== schema.length) {
    throw invalidValue(
      'Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions',
    );
  }
  const keyOf = (element: Element): KeyAttribute => {
    const definition = definitions.find(
      ({ AttributeName }) => AttributeName === element.AttributeName,
    );
    const type = (['S', 'N', 'B'] as const).find((other) => other === definition?.AttributeType);
    if (type === undefined) {
      throw invalidValue(
        `Some index key attributes are not defined in AttributeDefinitions. Keys: [${String(element.AttributeName)}]`,
      );
    }
    return { name: String(element.AttributeName), type };
  };
  const [rangeKey] = range;
  return {
    name,
    partitionKey: keyOf(hashKey),
    sortKey: rangeKey === undefined ? undefined : keyOf(rangeKey),
    ttlAttribute: readTimeToLive(properties['TimeToLiveSpecification']),
  };
}

interface Element {
  readonly AttributeName?: unknown;
  readonly KeyType?: unknown;
  readonly AttributeType?: unknown;
}

function listOf(value: unknown): readonly Element[] {
  return Array.isArray(value) ? value : [];
}

/** The attribute, if it is enabled; CloudFormation may write the boolean as text. */
export function readTimeToLive(specification: unknown): string | undefined {
  const { AttributeName, Enabled } = (specification ?? {}) as {
    AttributeName?: unknown;
    Enabled?: unknown;
  };
  if (Enabled !== true && Enabled !== 'true') return undefined;
  if (typeof AttributeName !== 'string' || AttributeName === '') {
    throw invalid('TimeToLiveSpecification.AttributeName is missing');
  }
  return AttributeName;
}
