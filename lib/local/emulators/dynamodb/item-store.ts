/** The items of every table and index, in key order; between partition keys the order is that of their hashes. */
import { hash } from 'node:crypto';
import type { StatementSync } from 'node:sqlite';
import type { Storage } from '#local/contracts';
import { inTransaction } from '#local/storage';
import type { AttributeMap } from './attribute-value.ts';
import { createRecentItems } from './recent-items.ts';
import type { Place } from './table-store.ts';

export interface ItemKey {
  readonly partition: Uint8Array;
  /** Empty where there is no sort key. */
  readonly sort: Uint8Array;
  /** In an index, which item of the table this is; empty in a table. */
  readonly base: Uint8Array;
}

export interface StoredItem {
  readonly item: AttributeMap;
  readonly bytes: number;
}

export interface SortRange {
  readonly low?: { readonly bytes: Uint8Array; readonly inclusive: boolean };
  readonly high?: { readonly bytes: Uint8Array; readonly inclusive: boolean };
}

export interface QueryAsk {
  readonly range: SortRange;
  readonly direction: 'forward' | 'backward';
  /** Go on behind this key. */
  readonly after: ItemKey | undefined;
}

export interface ScanAsk {
  readonly after: ItemKey | undefined;
  /** Of equal parts of all hashes. */
  readonly segment: { readonly at: number; readonly of: number } | undefined;
}

export interface ItemStore {
  get(place: Place, key: ItemKey): StoredItem | undefined;
  /** `expiresSec` undefined: never. */
  put(place: Place, key: ItemKey, item: StoredItem, expiresSec?: number): void;
  delete(place: Place, key: ItemKey): void;
  query(place: Place, partition: Uint8Array, ask: QueryAsk): Iterable<StoredItem>;
  scan(place: Place, ask: ScanAsk): Iterable<StoredItem>;
  /** What ended in (`fromSec`, `untilSec`]. */
  expired(place: Place, span: { fromSec: number; untilSec: number }): readonly StoredItem[];
  removeAll(place: Place): void;
  /** Do all of `work`, or, when it throws, nothing of it. */
  atomically<T>(work: () => T): T;
  sizeOf(place: Place): { readonly items: number; readonly bytes: number };
  /** Bytes of everything under one partition key. */
  partitionBytes(place: Place, partition: Uint8Array): number;
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS dynamodb_item (
    place INTEGER NOT NULL, partition BLOB NOT NULL, sort BLOB NOT NULL, base BLOB NOT NULL,
    item TEXT NOT NULL, bytes INTEGER NOT NULL, expires_sec INTEGER,
    PRIMARY KEY (place, partition, sort, base)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS dynamodb_item_expiry ON dynamodb_item (place, expires_sec)
    WHERE expires_sec IS NOT NULL;`;

/** Puts that a database in memory is told of together. */
const WAITING_MAX = 1_024;

const HASH_BYTES = 8;
export const NO_BYTES = new Uint8Array();

const scatteredOf = new Map<string, Uint8Array>();
const SCATTERED_MAX = 4_096;

/** A partition's bytes behind eight bytes of their MD5, so that a scan meets keys in no order of theirs. */
export function scattered(bytes: Uint8Array): Uint8Array {
  const id = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const known = scatteredOf.get(id);
  if (known !== undefined) return known;
  const placed = Buffer.concat([hash('md5', bytes, 'buffer').subarray(0, HASH_BYTES), bytes]);
  if (scatteredOf.size >= SCATTERED_MAX) scatteredOf.clear();
  scatteredOf.set(id, placed);
  return placed;
}

/** Where the part of all hashes begins that a segment is; above the last, beyond them all. */
export function segmentStart({ at, of }: { at: number; of: number }): Uint8Array {
  const bytes = Buffer.alloc(HASH_BYTES + 1, 0);
  const start = ((BigInt(at) << 64n) + BigInt(of) - 1n) / BigInt(of);
  if (start >= 1n << 64n) return Buffer.alloc(HASH_BYTES + 1, 0xff);
  bytes.writeBigUInt64BE(start);
  return bytes.subarray(0, HASH_BYTES);
}

export function openItemStore(storage: Storage): ItemStore {
  storage.exec(SCHEMA);
  const ofKey = 'place = ? AND partition = ? AND sort = ? AND base = ?';
  const get = storage.prepare(`SELECT item, bytes FROM dynamodb_item WHERE ${ofKey}`);
  const put = storage.prepare(
    `INSERT INTO dynamodb_item VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE
     SET item = excluded.item, bytes = excluded.bytes, expires_sec = excluded.expires_sec`,
  );
  const remove = storage.prepare(`DELETE FROM dynamodb_item WHERE ${ofKey}`);
  const expired = storage.prepare(
    'SELECT item, bytes FROM dynamodb_item WHERE place = ? AND expires_sec > ? AND expires_sec <= ?',
  );
  const removeAll = storage.prepare('DELETE FROM dynamodb_item WHERE place = ?');
  const sums = 'SELECT count(*) AS items, coalesce(sum(bytes), 0) AS bytes FROM dynamodb_item';
  const size = storage.prepare(`${sums} WHERE place = ?`);
  const partitionSize = storage.prepare(`${sums} WHERE place = ? AND partition = ?`);
  const select = selector(storage);
  const recent = createRecentItems({
    // A file holds what was answered; what is in memory only ends with this process anyway.
    waitingMax: storage.location() === null ? WAITING_MAX : 1,
    store({ place, key: { partition, sort, base }, stored: { item, bytes }, expiresSec }) {
      put.run(place, partition, sort, base, JSON.stringify(item), bytes, expiresSec ?? null);
    },
  });

  return {
    get({ place }, key) {
      const known = recent.get(place, key);
      if (known !== undefined) return known;
      const row = get.get(place, key.partition, key.sort, key.base);
      return row === undefined ? undefined : toItem(row);
    },
    put: ({ place }, key, stored, expiresSec) => recent.put({ place, key, stored, expiresSec }),
    delete({ place }, key) {
      remove.run(place, key.partition, key.sort, key.base);
      recent.delete(place, key);
    },
    query({ place }, partition, { range: { low, high }, direction, after }) {
      const [forth, order] = direction === 'forward' ? ['>', 'ASC'] : ['<', 'DESC'];
      recent.flush();
      return select(
        [
          ['place = ?', [place]],
          ['partition = ?', [partition]],
          low && [`sort ${low.inclusive ? '>=' : '>'} ?`, [low.bytes]],
          high && [`sort ${high.inclusive ? '<=' : '<'} ?`, [high.bytes]],
          after && [`(sort, base) ${forth} (?, ?)`, [after.sort, after.base]],
        ],
        `sort ${order}, base ${order}`,
      );
    },
    scan({ place }, { after, segment }) {
      recent.flush();
      return select(
        [
          ['place = ?', [place]],
          segment && ['partition >= ?', [segmentStart(segment)]],
          segment && ['partition < ?', [segmentStart({ ...segment, at: segment.at + 1 })]],
          after && [
            '(partition, sort, base) > (?, ?, ?)',
            [after.partition, after.sort, after.base],
          ],
        ],
        'partition, sort, base',
      );
    },
    expired({ place }, { fromSec, untilSec }) {
      recent.flush();
      return expired.all(place, fromSec, untilSec).map(toItem);
    },
    removeAll({ place }) {
      recent.flush();
      recent.clear();
      removeAll.run(place);
    },
    atomically(work) {
      recent.flush();
      try {
        return inTransaction(storage, () => {
          const result = work();
          recent.flush();
          return result;
        });
      } catch (error) {
        recent.clear();
        throw error;
      }
    },
    sizeOf({ place }) {
      recent.flush();
      const row = size.get(place);
      return { items: Number(row?.['items'] ?? 0), bytes: Number(row?.['bytes'] ?? 0) };
    },
    partitionBytes({ place }, partition) {
      recent.flush();
      return Number(partitionSize.get(place, partition)?.['bytes'] ?? 0);
    },
  };
}

type Clause = readonly [text: string, values: readonly (number | Uint8Array)[]] | undefined;

/** Each wording of a query is prepared once. */
function selector(storage: Storage) {
  const prepared = new Map<string, StatementSync>();
  return (clauses: readonly Clause[], order: string): Iterable<StoredItem> => {
    const given = clauses.filter((clause) => clause !== undefined);
    const where = given.map(([text]) => text).join(' AND ');
    const text = `SELECT item, bytes FROM dynamodb_item WHERE ${where} ORDER BY ${order}`;
    const statement = prepared.get(text) ?? storage.prepare(text);
    prepared.set(text, statement);
    return toItems(statement.iterate(...given.flatMap(([, values]) => values)));
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
