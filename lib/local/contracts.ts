/** What the rooms of the local cloud promise each other. */
import type { DatabaseSync } from 'node:sqlite';

/** One SQLite database for the whole cloud; every emulator creates its own tables in it. */
export type Storage = DatabaseSync;

/** Time as an argument, so that tests and simulations can drive it. */
export interface Clock {
  nowMs(): number;
  /** Calls `fire` once after `delayMs`; the answer cancels it. */
  setTimer(delayMs: number, fire: () => void): () => void;
}

/** A number in [0, 1). */
export type Chance = () => number;

export type PutFault =
  /** The entry is answered with ProvisionedThroughputExceededException. */
  | 'throttle'
  /** The entry is answered with InternalFailure. */
  | 'fail';

/** Failures made on purpose; a member that is absent never fails anything. */
export interface FaultPlan {
  /** One entry of a put; `index` is its place in the request. */
  onPut?(stream: string, index: number): PutFault | undefined;
  /** A whole put request: refused before, or left without an answer after, its records are written. */
  onPutRequest?(stream: string): 'refuse' | 'timeout-after-write' | undefined;
  /** A whole GetRecords: answered with ProvisionedThroughputExceededException. */
  onRead?(stream: string, shardId: string): 'throttle' | undefined;
  /** One DynamoDB request on a table: throttled before, or left without an answer after, its work. */
  onTable?(table: string, operation: string): 'throttle' | 'timeout-after-write' | undefined;
  /** One tick: the function cannot be called, however often the scheduler tries. */
  onTick?(schedule: string): 'drop' | undefined;
}

export interface WireRequest {
  readonly method: string;
  /** Without the query; still percent-encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface WireResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  /** True: cut the connection instead of answering, as a timeout or crash would. */
  readonly hangUp?: boolean;
}

/** Answers one request of a service's wire protocol; failures are answers, not exceptions. */
export interface WireHandler {
  handle(request: WireRequest): Promise<WireResponse>;
}

export interface ShardInfo {
  readonly shardId: string;
  /** None, one (split) or two (merge). */
  readonly parentShardIds: readonly string[];
  readonly open: boolean;
}

export type ReadFrom =
  | { readonly kind: 'trim-horizon' }
  | { readonly kind: 'latest' }
  | { readonly kind: 'at-timestamp'; readonly timestampMs: number }
  | { readonly kind: 'after'; readonly sequenceNumber: string };

export interface LogRecord {
  readonly sequenceNumber: string;
  readonly partitionKey: string;
  readonly data: Uint8Array;
  readonly arrivalTimeMs: number;
}

export interface LogPage {
  readonly records: readonly LogRecord[];
  /** The shard is closed and nothing of it follows these records. */
  readonly endOfShard: boolean;
  /** From now to the last record read; 0 when none follows. */
  readonly millisBehindLatest: number;
}

/** The streams as an event source mapping reads them: without iterators and read limits. */
export interface KinesisLog {
  /** @throws {Error} when there is no such stream. */
  listShards(stream: string): readonly ShardInfo[];
  /**
   * Read on from a place; at least one record is returned if one follows, whatever its bytes.
   *
   * @throws {Error} when there is no such stream or shard.
   */
  read(
    stream: string,
    shardId: string,
    from: ReadFrom,
    max: { readonly records: number; readonly bytes: number },
  ): LogPage;
  /** Calls `listener` after records were written to, or shards changed in, the stream. */
  onWrite(stream: string, listener: () => void): () => void;
}

export type InvokeResult =
  | { readonly kind: 'ok'; readonly payload: string }
  | {
      readonly kind: 'error';
      readonly errorType: string;
      readonly payload: string;
      readonly logTail?: string;
      /** Of the invocation, where one took place. */
      readonly requestId?: string;
    }
  | { readonly kind: 'throttled' };

/** Runs a function once, synchronously, and waits for its answer. */
export interface Invoker {
  invoke(functionName: string, payload: Uint8Array | string): Promise<InvokeResult>;
}

/** Buckets of objects; a bucket must have been created. */
export interface ObjectStore {
  put(bucket: string, key: string, body: Uint8Array): void;
  get(bucket: string, key: string): Uint8Array | undefined;
  /** Keys in the order of their UTF-8 bytes. */
  list(bucket: string, prefix: string): readonly string[];
  delete(bucket: string, key: string): void;
}
