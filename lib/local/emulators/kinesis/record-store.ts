/** The records of every shard, in one clustered table. */
import type { LogRecord, Storage } from '#local/contracts';
import { sequenceNumber } from './sequence-number.ts';
import type { Shard } from './stream-store.ts';

export interface RecordStore {
  /** Adds a record behind the newest, and answers its sequence number. */
  append(shard: Shard, record: { partitionKey: string; data: Uint8Array; nowMs: number }): string;
  /** Records with a counter from `counter` on that arrived at or after `sinceMs`. */
  read(ask: ReadAsk): readonly StoredEntry[];
  /** The counter of the first record that arrived at or after a moment; undefined: none yet. */
  firstSince(shard: Shard, arrivalMs: number): number | undefined;
  /** The arrival of the first record from `counter` on; undefined: none. */
  arrivalFrom(shard: Shard, counter: number): number | undefined;
  trim(shard: Shard, beforeMs: number): void;
  removeAll(shard: Shard): void;
}

export interface ReadAsk {
  readonly shard: Shard;
  readonly counter: number;
  readonly sinceMs: number;
  readonly recordsMax: number;
  /** The first record is read whatever its bytes. */
  readonly bytesMax: number;
}

export interface StoredEntry extends LogRecord {
  readonly counter: number;
  /** Of key and data. */
  readonly bytes: number;
}

/** A record's key in the table is its shard's row and its counter, in one number below 2^53. */
const COUNTERS = 2 ** 33;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS kinesis_record (
    place INTEGER PRIMARY KEY, arrival_ms INTEGER NOT NULL, partition_key TEXT NOT NULL, data BLOB NOT NULL
  ) STRICT;`;

export function openRecordStore(storage: Storage): RecordStore {
  storage.exec(SCHEMA);
  const insert = storage.prepare('INSERT INTO kinesis_record VALUES (?, ?, ?, ?)');
  const select = storage.prepare(
    `SELECT place, arrival_ms, partition_key, data FROM kinesis_record
     WHERE place >= ? AND place < ? AND arrival_ms >= ? ORDER BY place LIMIT ?`,
  );
  const first = storage.prepare(
    `SELECT place FROM kinesis_record WHERE place >= ? AND place < ? AND arrival_ms >= ?
     ORDER BY place LIMIT 1`,
  );
  const arrival = storage.prepare(
    'SELECT arrival_ms FROM kinesis_record WHERE place >= ? AND place < ? ORDER BY place LIMIT 1',
  );
  const remove = storage.prepare(
    'DELETE FROM kinesis_record WHERE place >= ? AND place < ? AND arrival_ms < ?',
  );
  const placeOf = (shard: Shard, counter: number): number => shard.row * COUNTERS + counter;
  const endOf = (shard: Shard): number => (shard.row + 1) * COUNTERS;

  return {
    append(shard, { partitionKey, data, nowMs }) {
      shard.counter += 1;
      shard.lastArrivalMs = Math.max(shard.lastArrivalMs, nowMs);
      insert.run(placeOf(shard, shard.counter), shard.lastArrivalMs, partitionKey, data);
      return sequenceNumber(shard, shard.counter, Math.floor(shard.lastArrivalMs / 1_000));
    },
    read({ shard, counter, sinceMs, recordsMax, bytesMax }) {
      const entries: StoredEntry[] = [];
      let bytes = 0;
      const rows = select.iterate(placeOf(shard, counter), endOf(shard), sinceMs, recordsMax);
      for (const row of rows) {
        const entry = toEntry(shard, row);
        bytes += entry.bytes;
        if (bytes > bytesMax && entries.length > 0) break;
        entries.push(entry);
      }
      return entries;
    },
    firstSince(shard, arrivalMs) {
      const row = first.get(placeOf(shard, 0), endOf(shard), arrivalMs);
      return row === undefined ? undefined : Number(row['place']) - placeOf(shard, 0);
    },
    arrivalFrom(shard, counter) {
      const row = arrival.get(placeOf(shard, counter), endOf(shard));
      return row === undefined ? undefined : Number(row['arrival_ms']);
    },
    trim(shard, beforeMs) {
      remove.run(placeOf(shard, 0), endOf(shard), beforeMs);
    },
    removeAll(shard) {
      remove.run(placeOf(shard, 0), endOf(shard), Number.MAX_SAFE_INTEGER);
    },
  };

  function toEntry(shard: Shard, row: Readonly<Record<string, unknown>>): StoredEntry {
    const counter = Number(row['place']) - placeOf(shard, 0);
    const arrivalTimeMs = Number(row['arrival_ms']);
    const partitionKey = String(row['partition_key']);
    const data = row['data'] as Uint8Array;
    return {
      counter,
      sequenceNumber: sequenceNumber(shard, counter, Math.floor(arrivalTimeMs / 1_000)),
      partitionKey,
      data,
      arrivalTimeMs,
      bytes: data.byteLength + Buffer.byteLength(partitionKey),
    };
  }
}
