/** The items of every table, in key order; between partition keys the order is that of their hashes. */
import { createHash } from 'node:crypto';
import type { StatementSync } from 'node:sqlite';
import type { Storage } from '#local/contracts';
import type { AttributeMap } from './attribute-value.ts';
import type { Table } from './table-store.ts';

export interface ItemKey {
  readonly partition: Uint8Array;
  /** Empty where the table has no sort key. */
  readonly sort: Uint8Array;
}

export interface StoredItem {
  readonly item: AttributeMap;
  readonly bytes: number;
}

export interface SortRange {
  readonly low?: { readonly bytes: Uint8Array; readonly inclusive: boolean };
  readonly high?: { readonly bytes: Uint8Array; readonly inclusive: boolean };
}

export interface ItemStore {
  get(table: Table, key: ItemKey): StoredItem | undefined;
  /** `expiresSec` undefined: never. */
  put(
    table: Table,
    key: ItemKey,
    item: StoredItem & { readonly expiresSec: number | undefined },
  ): void;
  delete(table: Table, key: ItemKey): void;
  query(
    table: Table,
    partition: Uint8Array,
    ask: { readonly range: SortRange; readonly direction: 'forward' | 'backward' },
  ): Iterable<StoredItem>;
  scan(table: Table, after: ItemKey | undefined): Iterable<StoredItem>;
  /** Deletes what ended in (`fromSec`, `untilSec`]. */
  expire(table: Table, span: { readonly fromSec: number; readonly untilSec: number }): void;
  removeAll(table: Table): void;
  sizeOf(table: Table): { readonly items: number; readonly bytes: number };
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS dynamodb_item (
    table_row INTEGER NOT NULL, partition BLOB NOT NULL, sort BLOB NOT NULL, item TEXT NOT NULL,
    bytes INTEGER NOT NULL, expires_sec INTEGER, PRIMARY KEY (table_row, partition, sort)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS dynamodb_item_expiry ON dynamodb_item (table_row, expires_sec)
    WHERE expires_sec IS NOT NULL;`;

/** A partition's bytes behind eight bytes of their MD5, so that a scan meets keys in no order of theirs. */
export function scattered(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([createHash('md5').update(bytes).digest().subarray(0, 8), bytes]);
}

export function openItemStore(storage: Storage): ItemStore {
  storage.exec(SCHEMA);
  const get = storage.prepare(
    'SELECT item, bytes FROM dynamodb_item WHERE table_row = ? AND partition = ? AND sort = ?',
  );
  const put = storage.prepare('INSERT OR REPLACE INTO dynamodb_item VALUES (?, ?, ?, ?, ?, ?)');
  const remove = storage.prepare(
    'DELETE FROM dynamodb_item WHERE table_row = ? AND partition = ? AND sort = ?',
  );
  const expire = storage.prepare(
    'DELETE FROM dynamodb_item WHERE table_row = ? AND expires_sec > ? AND expires_sec <= ?',
  );
  const removeAll = storage.prepare('DELETE FROM dynamodb_item WHERE table_row = ?');
  const size = storage.prepare(
    'SELECT count(*) AS items, coalesce(sum(bytes), 0) AS bytes FROM dynamodb_item WHERE table_row = ?',
  );
  const scanAll = storage.prepare(
    'SELECT item, bytes FROM dynamodb_item WHERE table_row = ? ORDER BY partition, sort',
  );
  const scanAfter = storage.prepare(
    `SELECT item, bytes FROM dynamodb_item WHERE table_row = ? AND (partition, sort) > (?, ?)
     ORDER BY partition, sort`,
  );
  const queries = new Map<string, StatementSync>();
  const queryBy = (text: string): StatementSync => {
    const statement = queries.get(text) ?? storage.prepare(text);
    queries.set(text, statement);
    return statement;
  };

  return {
    get(table, { partition, sort }) {
      const row = get.get(table.row, partition, sort);
      return row === undefined ? undefined : toItem(row);
    },
    put(table, { partition, sort }, { item, bytes, expiresSec }) {
      put.run(table.row, partition, sort, JSON.stringify(item), bytes, expiresSec ?? null);
    },
    delete(table, { partition, sort }) {
      remove.run(table.row, partition, sort);
    },
    query(table, partition, { range: { low, high }, direction }) {
      const bounds = [
        low === undefined ? '' : `AND sort ${low.inclusive ? '>=' : '>'} ?`,
        high === undefined ? '' : `AND sort ${high.inclusive ? '<=' : '<'} ?`,
      ];
      const statement = queryBy(
        `SELECT item, bytes FROM dynamodb_item WHERE table_row = ? AND partition = ? ${bounds.join(' ')}
         ORDER BY sort ${direction === 'forward' ? 'ASC' : 'DESC'}`,
      );
      const ends = [low, high].flatMap((end) => (end === undefined ? [] : [end.bytes]));
      return toItems(statement.iterate(table.row, partition, ...ends));
    },
    scan(table, after) {
      return after === undefined
        ? toItems(scanAll.iterate(table.row))
        : toItems(scanAfter.iterate(table.row, after.partition, after.sort));
    },
    expire(table, { fromSec, untilSec }) {
      expire.run(table.row, fromSec, untilSec);
    },
    removeAll(table) {
      removeAll.run(table.row);
    },
    sizeOf(table) {
      const row = size.get(table.row);
      return { items: Number(row?.['items'] ?? 0), bytes: Number(row?.['bytes'] ?? 0) };
    },
  };
}

function* toItems(rows: Iterable<Readonly<Record<string, unknown>>>): Iterable<StoredItem> {
  for (const row of rows) yield toItem(row);
}

function toItem(row: Readonly<Record<string, unknown>>): StoredItem {
  let item: AttributeMap | undefined;
  return {
    // Parsed when asked for: a count looks at many items and at the attributes of none.
    get item() {
      return (item ??= JSON.parse(String(row['item'])) as AttributeMap);
    },
    bytes: Number(row['bytes']),
  };
}
