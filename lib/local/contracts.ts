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

/** A UUID that was never given before: of a request, an iterator, an invocation, a version. */
export type NewId = () => string;

export type PutFault =
  /** The entry is answered with ProvisionedThroughputExceededException. */
  | 'throttle'
  /** The entry is answered with InternalFailure. */
  | 'fail';

/** What happens to one request at the port, whichever service it is for. */
export type RequestFault =
  /** Answered with a 500, its work not done, or done. */
  | { readonly kind: 'error-before' }
  | { readonly kind: 'error-after' }
  /** The connection is cut, its work not done, or done, or amid the answer. */
  | { readonly kind: 'cut-before' }
  | { readonly kind: 'cut-after' }
  | { readonly kind: 'cut-amid' }
  /** Never answered, its work done. */
  | { readonly kind: 'hang' }
  | { readonly kind: 'delay'; readonly delayMs: number };

/** What happens to one invocation. */
export type InvocationFault =
  /** Its process is killed, or stopped for ever, so long after the handler was entered. */
  | { readonly kind: 'kill'; readonly afterMs: number }
  | { readonly kind: 'freeze'; readonly afterMs: number }
  /** Its process believes that it is later (or earlier) than it is. */
  | { readonly kind: 'skew'; readonly skewMs: number };

/** Failures made on purpose; a member that is absent never fails anything. */
export interface FaultPlan {
  /** Any request at the port; `service` is as in `x-amz-target`, or `s3`, `lambda`. */
  onRequest?(request: {
    readonly service: string;
    readonly operation: string;
  }): RequestFault | undefined;
  /** One entry of a put; `index` is its place in the request. */
  onPut?(stream: string, index: number): PutFault | undefined;
  /** A whole put request: refused before, or left without an answer after, its records are written. */
  onPutRequest?(stream: string): 'refuse' | 'timeout-after-write' | undefined;
  /** A whole GetRecords: throttled, or its iterator found too old. */
  onRead?(stream: string, shardId: string): 'throttle' | 'expire' | undefined;
  /** One DynamoDB request on a table: throttled before, or left without an answer after, its work. */
  onTable?(table: string, operation: string): 'throttle' | 'timeout-after-write' | undefined;
  /** One request or key of a BatchWriteItem or BatchGetItem. */
  onBatchItem?(table: string, index: number): 'unprocessed' | undefined;
  /** One invocation, whoever asks for it. */
  onInvoke?(functionName: string): InvocationFault | undefined;
  /** A batch that a mapping is about to move past: deliver it once more; or one not to deliver yet. */
  onBatch?(functionName: string, shardId: string): 'again' | 'withhold' | undefined;
  /** One tick: the function cannot be called, however often the scheduler tries; or is called twice. */
  onTick?(schedule: string): 'drop' | 'twice' | undefined;
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
  /**
   * A text that is another one when a stream was deleted and made again under the same name.
   *
   * @throws {Error} when there is no such stream.
   */
  creationOf(stream: string): string;
  /** Calls `listener` after records were written to, or shards changed in, the stream. */
  onWrite(stream: string, listener: () => void): () => void;
}

export type InvokeResult =
  | {
      readonly kind: 'ok';
      readonly payload: string;
      readonly logTail?: string;
    }
  | {
      readonly kind: 'error';
      readonly errorType: string;
      readonly payload: string;
      readonly logTail?: string;
      /** Of the invocation, where one took place. */
      readonly requestId?: string;
    }
  /** Whose concurrency is used up: the function's own, or the account's. */
  | { readonly kind: 'throttled'; readonly by?: 'function' | 'account' };

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

/** Queues that take messages; a queue must have been created. */
export interface QueueStore {
  /** @throws {Error} when there is no such queue, or it does not take the message. */
  send(queueArnOrName: string, body: string, attributes?: Readonly<Record<string, unknown>>): void;
}
