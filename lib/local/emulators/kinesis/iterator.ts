/** Shard iterators: opaque to clients, good for five minutes. */
import { ServiceError } from '#local/aws-json';
import { refused } from './refused.ts';
import type { KinesisState } from './state.ts';
import { livingShards, readyStreamOf, streamNotFound } from './state.ts';
import type { Shard, Stream } from './stream.ts';

export interface Position {
  readonly stream: Stream;
  readonly shard: Shard;
  /** Of the next record wanted. */
  readonly counter: number;
}

/** Stream, its name, shard, counter, time and what makes it unlike any other. */
const PARTS = 6;

interface IssuedPosition extends Position {
  readonly issuedMs: number;
}

/** Two iterators never look alike, so that nobody compares them. */
export function encodeIterator(state: KinesisState, { stream, shard, counter }: Position): string {
  const nowMs = state.clock.nowMs();
  const parts = [stream.id, stream.name, shard.shardId, counter, nowMs, state.newId()];
  return Buffer.from(JSON.stringify(parts)).toString('base64');
}

/** @throws {ServiceError} when it is no iterator of ours, or has expired. */
export function decodeIterator(state: KinesisState, text: string): IssuedPosition {
  const parts = parse(text);
  if (parts.length !== PARTS) throw refused('Invalid ShardIterator.');
  const [streamId, name, shardId, counter, issuedMs] = parts;
  const stream = readyStreamOf(state, { StreamName: String(name) });
  if (stream.id !== streamId) throw streamNotFound(state, stream.name);
  const shard = livingShards(state, stream).find((other) => other.shardId === shardId);
  if (shard === undefined || typeof counter !== 'number' || typeof issuedMs !== 'number') {
    throw refused('Invalid ShardIterator.');
  }
  const nowMs = state.clock.nowMs();
  if (nowMs - issuedMs > state.limits.iteratorTtlMs) throw expired(state, issuedMs);
  return { stream, shard, counter, issuedMs };
}

export function expired(state: KinesisState, issuedMs: number): ServiceError {
  const [issued, now] = [issuedMs, state.clock.nowMs()].map((ms) => new Date(ms).toUTCString());
  return new ServiceError(
    'ExpiredIteratorException',
    `Iterator expired. The iterator was created at time ${issued} while right now it is ${now} which is ` +
      `further in the future than the tolerated delay of ${state.limits.iteratorTtlMs} milliseconds.`,
  );
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
