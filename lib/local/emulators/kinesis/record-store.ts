/**
 * The records of every shard, in one clustered table.
 *
 * A row holds what one request put into one shard: those records have one arrival, and stand one
 * after the other. So a request costs a row a shard, not a row a record.
 */
import type { LogRecord, Storage } from '#local/contracts';
import { decodeChunk, encodeChunk } from './record-chunk.ts';
import type { ChunkRecord } from './record-chunk.ts';
import { sequenceNumber } from './sequence-number.ts';
import type { Shard } from './stream.ts';

export interface RecordStore {
  /** Adds records behind the newest, and answers their sequence numbers. */
  append(shard: Shard, records: readonly ChunkRecord[], nowMs: number): readonly string[];
  /** Records with a counter from `counter` on that arrived at or after `sinceMs`. */
  read(ask: ReadAsk): readonly StoredEntry[];
  /** The counter of the first record that arrived at or after a moment; undefined: none yet. */
  firstSince(shard: Shard, arrivalMs: number): number | undefined;
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

/** A row's key is its shard's row and the counter of its first record, in one number below 2^53. */
const COUNTERS = 2 ** 33;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS kinesis_chunk (
    place INTEGER PRIMARY KEY, arrival_ms INTEGER NOT NULL, records BLOB NOT NULL
  ) STRICT;`;

export function openRecordStore(storage: Storage): RecordStore {
  storage.exec(SCHEMA);
  takeOverSingleRecords(storage);
  const insert = storage.prepare('INSERT INTO kinesis_chunk VALUES (?, ?, ?)');
  const before = storage.prepare(
    'SELECT place FROM kinesis_chunk WHERE place >= ? AND place <= ? ORDER BY place DESC LIMIT 1',
  );
  const select = storage.prepare(
    `SELECT place, arrival_ms, records FROM kinesis_chunk
     WHERE place >= ? AND place < ? AND arrival_ms >= ? ORDER BY place`,
  );
  const first = storage.prepare(
    `SELECT place FROM kinesis_chunk WHERE place >= ? AND place < ? AND arrival_ms >= ?
     ORDER BY place LIMIT 1`,
  );
  const remove = storage.prepare(
    'DELETE FROM kinesis_chunk WHERE place >= ? AND place < ? AND arrival_ms < ?',
  );
  const placeOf = (shard: Shard, counter: number): number => shard.row * COUNTERS + counter;
  const endOf = (shard: Shard): number => (shard.row + 1) * COUNTERS;

  return {
    append(shard, records, nowMs) {
      shard.lastArrivalMs = Math.max(shard.lastArrivalMs, nowMs);
      const from = shard.counter + 1;
      shard.counter += records.length;
      insert.run(placeOf(shard, from), shard.lastArrivalMs, encodeChunk(records));
      const arrivalSec = Math.floor(shard.lastArrivalMs / 1_000);
      return records.map((_, at) => sequenceNumber(shard, from + at, arrivalSec));
    },
    read({ shard, counter, sinceMs, recordsMax, bytesMax }) {
      const wanted = placeOf(shard, counter);
      // The record that is wanted may stand amid a chunk.
      const start = before.get(placeOf(shard, 0), wanted)?.['place'] ?? wanted;
      const entries: StoredEntry[] = [];
      let bytes = 0;
      for (const row of select.iterate(Number(start), endOf(shard), sinceMs)) {
        for (const entry of entriesOf(shard, row)) {
          if (entry.counter < counter) continue;
          bytes += entry.bytes;
          if (bytes > bytesMax && entries.length > 0) return entries;
          entries.push(entry);
          if (entries.length === recordsMax) return entries;
        }
      }
      return entries;
    },
    firstSince(shard, arrivalMs) {
      const row = first.get(placeOf(shard, 0), endOf(shard), arrivalMs);
      return row === undefined ? undefined : Number(row['place']) - placeOf(shard, 0);
    },
    trim(shard, beforeMs) {
      remove.run(placeOf(shard, 0), endOf(shard), beforeMs);
    },
    removeAll(shard) {
      remove.run(placeOf(shard, 0), endOf(shard), Number.MAX_SAFE_INTEGER);
    },
  };

  function* entriesOf(
    shard: Shard,
    row: Readonly<Record<string, unknown>>,
  ): Generator<StoredEntry> {
    let counter = Number(row['place']) - placeOf(shard, 0);
    const arrivalTimeMs = Number(row['arrival_ms']);
    const arrivalSec = Math.floor(arrivalTimeMs / 1_000);
    for (const record of decodeChunk(row['records'] as Uint8Array)) {
      yield {
        ...record,
        counter,
        arrivalTimeMs,
        sequenceNumber: sequenceNumber(shard, counter, arrivalSec),
      };
      counter += 1;
    }
  }
}

/** A file kept by an earlier version has a row a record, in a table of another name. */
function takeOverSingleRecords(storage: Storage): void {
  const old = storage.prepare("SELECT 1 FROM sqlite_master WHERE name = 'kinesis_record'").get();
  if (old === undefined) return;
  const insert = storage.prepare('INSERT INTO kinesis_chunk VALUES (?, ?, ?)');
  for (const row of storage.prepare('SELECT * FROM kinesis_record').all()) {
    const record = { partitionKey: String(row['partition_key']), data: row['data'] as Uint8Array };
    insert.run(Number(row['place']), Number(row['arrival_ms']), encodeChunk([record]));
  }
  storage.exec('DROP TABLE kinesis_record');
}
