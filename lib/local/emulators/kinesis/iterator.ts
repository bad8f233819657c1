/** Shard iterators: opaque to clients, good for five minutes. */
import { randomUUID } from 'node:crypto';
import { ServiceError } from '#local/aws-json';
import { refused } from './inputs.ts';
import type { KinesisState } from './state.ts';
import { livingShards } from './state.ts';
import type { Shard, Stream } from './stream-store.ts';

export interface Position {
  readonly stream: Stream;
  readonly shard: Shard;
  /** Of the next record wanted. */
  readonly counter: number;
}

/** Two iterators never look alike, so that nobody compares them. */
export function encodeIterator(
  stream: Stream,
  shard: Shard,
  counter: number,
  nowMs: number,
): string {
  const parts = [stream.id, stream.name, shard.shardId, counter, nowMs, randomUUID()];
  return Buffer.from(JSON.stringify(parts)).toString('base64');
}

/** @throws {ServiceError} when it is no iterator of ours, or has expired. */
export function decodeIterator(state: KinesisState, text: string): Position {
  const [streamId, name, shardId, counter, issuedMs] = parse(text);
  const stream = state.streams.streams.get(String(name));
  if (stream === undefined || stream.id !== streamId) {
    throw new ServiceError(
      'ResourceNotFoundException',
      `Stream ${String(name)} under account ${state.accountId} not found.`,
    );
  }
  const shard = livingShards(state, stream).find((other) => other.shardId === shardId);
  if (shard === undefined || typeof counter !== 'number' || typeof issuedMs !== 'number') {
    throw refused('Invalid ShardIterator.');
  }
  const ageMs = state.clock.nowMs() - issuedMs;
  if (ageMs > state.limits.iteratorTtlMs) {
    throw new ServiceError(
      'ExpiredIteratorException',
      `Iterator expired. The iterator was created ${ageMs} ms ago; it may be used for ` +
        `${state.limits.iteratorTtlMs} ms.`,
    );
  }
  return { stream, shard, counter };
}

/** The name of the stream that an iterator is of; undefined when it is no iterator of ours. */
export function streamNameIn(iterator: unknown): string | undefined {
  try {
    return typeof iterator === 'string' ? String(parse(iterator)[1]) : undefined;
  } catch {
    return undefined;
  }
}

function parse(text: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64').toString());
    if (Array.isArray(parts)) return parts;
  } catch {
    // Refused below.
  }
  throw refused('Invalid ShardIterator.');
}
