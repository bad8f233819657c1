/** Tables: their keys, their indexes and their settings, kept in the storage. */
import type { NewId, Storage } from '#local/contracts';

export interface KeyAttribute {
  readonly name: string;
  readonly type: 'S' | 'N' | 'B';
}

/** Where items lie by their key: a table, or one of its indexes. */
export interface Place {
  /** Unlike that of every other table and index. */
  readonly place: number;
  readonly partitionKey: KeyAttribute;
  readonly sortKey: KeyAttribute | undefined;
}

export interface IndexSettings {
  readonly name: string;
  readonly scope: 'global' | 'local';
  readonly partitionKey: KeyAttribute;
  readonly sortKey: KeyAttribute | undefined;
  /** The attributes beside the keys of table and index. */
  readonly projection:
    | { readonly kind: 'ALL' | 'KEYS_ONLY' }
    | { readonly kind: 'INCLUDE'; readonly names: readonly string[] };
  readonly throughput: Throughput | undefined;
}

export interface SecondaryIndex extends IndexSettings, Place {}

/** Nothing here is ever throttled for it. */
export interface Throughput {
  readonly ReadCapacityUnits: number;
  readonly WriteCapacityUnits: number;
}

export interface TableSettings {
  readonly name: string;
  readonly partitionKey: KeyAttribute;
  readonly sortKey: KeyAttribute | undefined;
  readonly indexes: readonly IndexSettings[];
  /** The attribute that holds the second of an item's end, where there is one. */
  readonly ttlAttribute: string | undefined;
  /** Undefined: paid by the request. */
  readonly throughput: Throughput | undefined;
  readonly deletionProtection: boolean;
  /** Since when, and for how many days, the table could be restored. */
  readonly recovery: { readonly sinceMs: number; readonly days: number } | undefined;
  readonly tableClass: string | undefined;
  readonly tags: Readonly<Record<string, string>>;
}

export interface Table extends Omit<TableSettings, 'indexes'>, Place {
  readonly row: number;
  readonly id: string;
  readonly arn: string;
  readonly createdMs: number;
  readonly indexes: readonly SecondaryIndex[];
}

export interface TableStore {
  readonly tables: ReadonlyMap<string, Table>;
  add(settings: TableSettings, identity: { arn: string; createdMs: number }): Table;
  /** The table with other settings; an index keeps its place by its name. */
  change(table: Table, change: Partial<Omit<TableSettings, 'name'>>): Table;
  remove(table: Table): void;
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS dynamodb_place (place INTEGER PRIMARY KEY AUTOINCREMENT) STRICT;
  CREATE TABLE IF NOT EXISTS dynamodb_table (
    row INTEGER PRIMARY KEY, id TEXT NOT NULL, arn TEXT NOT NULL, created_ms INTEGER NOT NULL,
    settings TEXT NOT NULL
  ) STRICT;`;

export function openTableStore(storage: Storage, newId: NewId): TableStore {
  storage.exec(SCHEMA);
  const takePlace = storage.prepare('INSERT INTO dynamodb_place DEFAULT VALUES');
  const write = storage.prepare('INSERT OR REPLACE INTO dynamodb_table VALUES (?, ?, ?, ?, ?)');
  const remove = storage.prepare('DELETE FROM dynamodb_table WHERE row = ?');
  const newPlace = (): number => Number(takePlace.run().lastInsertRowid);
  const tables = new Map<string, Table>();
  for (const row of storage.prepare('SELECT * FROM dynamodb_table').all()) {
    const settings = JSON.parse(String(row['settings'])) as Table;
    tables.set(settings.name, settings);
  }
  const save = (table: Table): Table => {
    write.run(table.row, table.id, table.arn, table.createdMs, JSON.stringify(table));
    tables.set(table.name, table);
    return table;
  };
  const placed = (
    indexes: readonly IndexSettings[],
    before: readonly SecondaryIndex[],
  ): readonly SecondaryIndex[] =>
    indexes.map((index) => ({
      ...index,
      place: before.find(({ name }) => name === index.name)?.place ?? newPlace(),
    }));
  return {
    tables,
    add(settings, identity) {
      const place = newPlace();
      const indexes = placed(settings.indexes, []);
      return save({ ...settings, ...identity, indexes, place, row: place, id: newId() });
    },
    change(table, { indexes, ...change }) {
      return save({
        ...table,
        ...change,
        indexes: indexes === undefined ? table.indexes : placed(indexes, table.indexes),
      });
    },
    remove(table) {
      remove.run(table.row);
      tables.delete(table.name);
    },
  };
}
