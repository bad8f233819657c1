/** Streams and their shards: in memory to work with, in the database to survive a restart. */
import type { Storage } from '#local/contracts';
import type { HashKeyRange } from './hash-ring.ts';
import type { Bucket } from './rate-limit.ts';
import type { ShardOrigin } from './sequence-number.ts';

export interface Shard extends HashKeyRange, ShardOrigin {
  /** Unique among all shards of the cloud. */
  readonly row: number;
  readonly shardId: string;
  readonly parentShardIds: readonly string[];
  readonly createdMs: number;
  closedMs: number | undefined;
  /** Of the newest record; 0 before the first. */
  counter: number;
  /** Arrivals never step back within a shard, even where the clock does. */
  lastArrivalMs: number;
  /** Not kept: a restart finds every bucket full. */
  traffic: ShardTraffic | undefined;
}

export interface ShardTraffic {
  readonly writtenRecords: Bucket;
  readonly writtenBytes: Bucket;
  readonly reads: Bucket;
  readonly readBytes: Bucket;
  /** No read passes before: an earlier one took more than its share. */
  shutUntilMs: number;
}

export interface Stream {
  readonly id: number;
  readonly name: string;
  readonly arn: string;
  readonly createdMs: number;
  mode: 'PROVISIONED' | 'ON_DEMAND';
  retentionHours: number;
  recordBytesMax: number;
  /** What the template last asked for: a count changed by hand stays until the template changes. */
  templateShardCount: number;
  /** In the order of their indexes. */
  shards: Shard[];
  /** The open ones, in the order of the ring. */
  openShards: readonly Shard[];
  nextShardIndex: number;
}

export interface NewShard extends HashKeyRange, ShardOrigin {
  readonly parentShardIds: readonly string[];
  readonly createdMs: number;
}

export interface StreamStore {
  readonly streams: ReadonlyMap<string, Stream>;
  addStream(stream: Omit<Stream, 'id' | 'shards' | 'openShards' | 'nextShardIndex'>): Stream;
  saveStream(stream: Stream): void;
  removeStream(stream: Stream): void;
  addShard(stream: Stream, shard: NewShard): Shard;
  /** Keeps counter, last arrival and closing time. */
  saveShard(shard: Shard): void;
  closeShard(stream: Stream, shard: Shard, nowMs: number): void;
  removeShard(stream: Stream, shard: Shard): void;
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS kinesis_stream (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, arn TEXT NOT NULL, created_ms INTEGER NOT NULL,
    mode TEXT NOT NULL, retention_hours INTEGER NOT NULL, record_bytes_max INTEGER NOT NULL,
    template_shard_count INTEGER NOT NULL, next_shard_index INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS kinesis_shard (
    row INTEGER PRIMARY KEY AUTOINCREMENT, stream_id INTEGER NOT NULL, shard_index INTEGER NOT NULL,
    start_hash_key TEXT NOT NULL, end_hash_key TEXT NOT NULL, parents TEXT NOT NULL,
    born_sec INTEGER NOT NULL, created_ms INTEGER NOT NULL, closed_ms INTEGER,
    counter INTEGER NOT NULL, last_arrival_ms INTEGER NOT NULL
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
      };
      streams.set(name, stream);
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
    },
    removeStream(stream) {
      for (const shard of stream.shards) deleteShard.run(shard.row);
      deleteStream.run(stream.id);
      streams.delete(stream.name);
    },
    addShard(stream, fresh) {
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
      const shard: Shard = { ...fresh, row, shardId: shardIdOf(index), ...UNUSED };
      stream.shards.push(shard);
      stream.nextShardIndex = index + 1;
      orderOpenShards(stream);
      store.saveStream(stream);
      return shard;
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

const UNUSED = { closedMs: undefined, counter: 0, lastArrivalMs: 0, traffic: undefined };

function loadStreams(storage: Storage): Map<string, Stream> {
  const streams = new Map<string, Stream>();
  const shardsOf = storage.prepare(
    'SELECT * FROM kinesis_shard WHERE stream_id = ? ORDER BY shard_index',
  );
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
