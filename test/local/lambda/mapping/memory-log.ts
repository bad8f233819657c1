/** A Kinesis log for tests: shards are lists, and a test says which shard a record goes to. */
import type { KinesisLog, LogRecord, ReadFrom, ShardInfo } from '#local/contracts';

interface Shard {
  readonly parentShardIds: readonly string[];
  open: boolean;
  readonly records: LogRecord[];
}

export interface MemoryLog extends KinesisLog {
  /** Writes in one call, as PutRecords does; answers the sequence numbers. */
  write(shardId: string, ...records: readonly (string | readonly [string, string])[]): string[];
  addShard(shardId: string, ...parentShardIds: readonly string[]): void;
  /** Closes the parents and opens their children. */
  reshard(parents: readonly string[], children: readonly string[]): void;
  /** Takes so many of the oldest records of a shard away, as retention does. */
  expire(shardId: string, count: number): void;
  /** Takes the stream away; a shard added later is of a new one. */
  deleteStream(): void;
}

export function memoryLog(nowMs: () => number): MemoryLog {
  const shards = new Map<string, Shard>();
  const listeners = new Set<() => void>();
  let written = 9;
  let creation = 1;
  let isDeleted = false;
  const tell = (): void => listeners.forEach((listener) => listener());
  const shardOf = (shardId: string): Shard => {
    const shard = shards.get(shardId);
    if (shard === undefined) throw new Error(`there is no shard ${shardId}`);
    return shard;
  };

  return {
    creationOf() {
      if (isDeleted) throw new Error('there is no stream');
      return String(creation);
    },
    expire(shardId, count) {
      shardOf(shardId).records.splice(0, count);
    },
    deleteStream() {
      shards.clear();
      isDeleted = true;
    },
    addShard(shardId, ...parentShardIds) {
      if (isDeleted) {
        isDeleted = false;
        creation++;
        written = 9;
      }
      shards.set(shardId, { parentShardIds, open: true, records: [] });
    },
    reshard(parents, children) {
      for (const parent of parents) shardOf(parent).open = false;
      for (const child of children) this.addShard(child, ...parents);
      tell();
    },
    write(shardId, ...records) {
      const sequenceNumbers = records.map((record) => {
        const [partitionKey, text] = typeof record === 'string' ? ['k', record] : record;
        const sequenceNumber = String(++written);
        const data = Buffer.from(text);
        shardOf(shardId).records.push({
          sequenceNumber,
          partitionKey,
          data,
          arrivalTimeMs: nowMs(),
        });
        return sequenceNumber;
      });
      tell();
      return sequenceNumbers;
    },
    listShards() {
      this.creationOf('');
      return [...shards].map(([shardId, { parentShardIds, open }]): ShardInfo => ({
        shardId,
        parentShardIds,
        open,
      }));
    },
    read(_, shardId, from, max) {
      const { records, open } = shardOf(shardId);
      const after = records.filter((record) => isAfter(record, from));
      const page: LogRecord[] = [];
      let bytes = 0;
      for (const record of after) {
        bytes += record.data.byteLength;
        if (page.length === max.records || (page.length > 0 && bytes > max.bytes)) break;
        page.push(record);
      }
      const endOfShard = !open && page.length === after.length;
      return { records: page, endOfShard, millisBehindLatest: 0 };
    },
    onWrite(_, listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function isAfter(record: LogRecord, from: ReadFrom): boolean {
  switch (from.kind) {
    case 'trim-horizon':
      return true;
    case 'latest':
      return false;
    case 'at-timestamp':
      return record.arrivalTimeMs >= from.timestampMs;
    case 'after':
      return BigInt(record.sequenceNumber) > BigInt(from.sequenceNumber);
  }
}
