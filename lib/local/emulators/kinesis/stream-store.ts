/** Streams and their shards: in memory to work with, in the database to survive a restart. */
import type { Storage } from '#local/contracts';
import type { NewShard, Shard, Stream, StreamSettings } from './stream.ts';

export type NewStream = Omit<Stream, 'id' | 'shards' | 'openShards' | 'nextShardIndex' | 'change'>;

export interface StreamStore {
  readonly streams: ReadonlyMap<string, Stream>;
  addStream(stream: NewStream): Stream;
  /** Keeps everything but shards. */
  saveStream(stream: Stream): void;
  /** Nothing of it is kept, but it stays in `streams` until it is forgotten. */
  removeStream(stream: Stream): void;
  forgetStream(stream: Stream): void;
  addShards(stream: Stream, shards: readonly NewShard[]): void;
  /** Keeps counter, last arrival and closing time. */
  saveShard(shard: Shard): void;
  closeShard(stream: Stream, shard: Shard, nowMs: number): void;
  removeShard(stream: Stream, shard: Shard): void;
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS kinesis_stream (
    id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, arn TEXT NOT NULL, created_ms INTEGER NOT NULL,
    mode TEXT NOT NULL, retention_hours INTEGER NOT NULL, record_bytes_max INTEGER NOT NULL,
    template_shard_count INTEGER NOT NULL, next_shard_index INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS kinesis_shard (
    row INTEGER PRIMARY KEY AUTOINCREMENT, stream_id INTEGER NOT NULL, shard_index INTEGER NOT NULL,
    start_hash_key TEXT NOT NULL, end_hash_key TEXT NOT NULL, parents TEXT NOT NULL,
    born_sec INTEGER NOT NULL, created_ms INTEGER NOT NULL, closed_ms INTEGER,
    counter INTEGER NOT NULL, last_arrival_ms INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS kinesis_settings (
    stream_id INTEGER PRIMARY KEY, settings TEXT NOT NULL
  ) STRICT;`;

/** Load every stream that `storage` holds. */
export function openStreamStore(storage: Storage): StreamStore {
  storage.exec(SCHEMA);
  const insertStream = storage.prepare(
    `INSERT INTO kinesis_stream (name, arn, created_ms, mode, retention_hours, record_bytes_max,
     template_shard_count, next_shard_index) VALUES (?, ?, ?, ?, ?, ?, ?, 0)`,
  );
  const updateStream = storage.prepare(
    `UPDATE kinesis_stream SET mode = ?, retention_hours = ?, record_bytes_max = ?,
     template_shard_count = ?, next_shard_index = ? WHERE id = ?`,
  );
  const insertShard = storage.prepare(
    `INSERT INTO kinesis_shard (stream_id, shard_index, start_hash_key, end_hash_key, parents, born_sec,
     created_ms, closed_ms, counter, last_arrival_ms) VALUES (?, ?, ?, ?, ?, ?, ?, NULL, 0, 0)`,
  );
  const updateShard = storage.prepare(
    'UPDATE kinesis_shard SET counter = ?, last_arrival_ms = ?, closed_ms = ? WHERE row = ?',
  );
  const deleteShard = storage.prepare('DELETE FROM kinesis_shard WHERE row = ?');
  const deleteStream = storage.prepare('DELETE FROM kinesis_stream WHERE id = ?');
  const putSettings = storage.prepare('INSERT OR REPLACE INTO kinesis_settings VALUES (?, ?)');
  const deleteSettings = storage.prepare('DELETE FROM kinesis_settings WHERE stream_id = ?');
  const streams = loadStreams(storage);

  const store: StreamStore = {
    streams,
    addStream(fresh) {
      const { name, arn, createdMs, mode, retentionHours, recordBytesMax, templateShardCount } =
        fresh;
      const { lastInsertRowid } = insertStream.run(
        name,
        arn,
        createdMs,
        mode,
        retentionHours,
        recordBytesMax,
        templateShardCount,
      );
      const stream: Stream = {
        ...fresh,
        id: Number(lastInsertRowid),
        shards: [],
        openShards: [],
        nextShardIndex: 0,
        change: undefined,
      };
      streams.set(name, stream);
      putSettings.run(stream.id, JSON.stringify(stream.settings));
      return stream;
    },
    saveStream(stream) {
      const { mode, retentionHours, recordBytesMax, templateShardCount, nextShardIndex, id } =
        stream;
      updateStream.run(
        mode,
        retentionHours,
        recordBytesMax,
        templateShardCount,
        nextShardIndex,
        id,
      );
      putSettings.run(id, JSON.stringify(stream.settings));
    },
    removeStream(stream) {
      for (const shard of stream.shards) deleteShard.run(shard.row);
      deleteStream.run(stream.id);
      deleteSettings.run(stream.id);
    },
    forgetStream: ({ name }) => void streams.delete(name),
    addShards(stream, freshShards) {
      for (const fresh of freshShards) {
        const { startHashKey, endHashKey, parentShardIds, index, bornSec, createdMs } = fresh;
        const { lastInsertRowid } = insertShard.run(
          stream.id,
          index,
          startHashKey.toString(),
          endHashKey.toString(),
          JSON.stringify(parentShardIds),
          bornSec,
          createdMs,
        );
        const row = Number(lastInsertRowid);
        stream.shards.push({ ...fresh, row, shardId: shardIdOf(index), ...UNUSED });
        stream.nextShardIndex = index + 1;
      }
      orderOpenShards(stream);
      store.saveStream(stream);
    },
    saveShard(shard) {
      updateShard.run(shard.counter, shard.lastArrivalMs, shard.closedMs ?? null, shard.row);
    },
    closeShard(stream, shard, nowMs) {
      shard.closedMs = nowMs;
      store.saveShard(shard);
      orderOpenShards(stream);
    },
    removeShard(stream, shard) {
      deleteShard.run(shard.row);
      stream.shards = stream.shards.filter((other) => other !== shard);
    },
  };
  return store;
}

/** What a stream is told beside its shards, before anybody told it anything. */
export function noSettings(): StreamSettings {
  return {
    tags: {},
    keyId: undefined,
    shardLevelMetrics: [],
    consumers: [],
    scaledMs: [],
    modeChangedMs: [],
  };
}

function readSettings(row: Readonly<Record<string, unknown>> | undefined): StreamSettings {
  const kept = row === undefined ? {} : (JSON.parse(String(row['settings'])) as object);
  return { ...noSettings(), ...kept };
}

const UNUSED = { closedMs: undefined, counter: 0, lastArrivalMs: 0, traffic: undefined };

function loadStreams(storage: Storage): Map<string, Stream> {
  const streams = new Map<string, Stream>();
  const shardsOf = storage.prepare(
    'SELECT * FROM kinesis_shard WHERE stream_id = ? ORDER BY shard_index',
  );
  const settingsOf = storage.prepare('SELECT settings FROM kinesis_settings WHERE stream_id = ?');
  for (const row of storage.prepare('SELECT * FROM kinesis_stream').all()) {
    const shards = shardsOf.all(Number(row['id'])).map(toShard);
    const stream: Stream = {
      id: Number(row['id']),
      name: String(row['name']),
      arn: String(row['arn']),
      createdMs: Number(row['created_ms']),
      mode: row['mode'] === 'ON_DEMAND' ? 'ON_DEMAND' : 'PROVISIONED',
      retentionHours: Number(row['retention_hours']),
      recordBytesMax: Number(row['record_bytes_max']),
      templateShardCount: Number(row['template_shard_count']),
      nextShardIndex: Number(row['next_shard_index']),
      shards,
      openShards: [],
      settings: readSettings(settingsOf.get(Number(row['id']))),
      change: undefined,
    };
    orderOpenShards(stream);
    streams.set(stream.name, stream);
  }
  return streams;
}

function toShard(row: Readonly<Record<string, unknown>>): Shard {
  const index = Number(row['shard_index']);
  return {
    row: Number(row['row']),
    shardId: shardIdOf(index),
    index,
    bornSec: Number(row['born_sec']),
    parentShardIds: JSON.parse(String(row['parents'])) as readonly string[],
    startHashKey: BigInt(String(row['start_hash_key'])),
    endHashKey: BigInt(String(row['end_hash_key'])),
    createdMs: Number(row['created_ms']),
    closedMs: row['closed_ms'] === null ? undefined : Number(row['closed_ms']),
    counter: Number(row['counter']),
    lastArrivalMs: Number(row['last_arrival_ms']),
    traffic: undefined,
  };
}

function orderOpenShards(stream: Stream): void {
  stream.openShards = stream.shards
    .filter(({ closedMs }) => closedMs === undefined)
    .sort((a, b) => (a.startHashKey < b.startHashKey ? -1 : 1));
}

function shardIdOf(index: number): string {
  return `shardId-${String(index).padStart(12, '0')}`;
}
