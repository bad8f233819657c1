/** What is to be replayed, as a person says it, and what it means at a moment. Pure. */
import type { RangeEnd } from '#core/checkpoint/cut-at-end';
import type { SequenceNumber } from '#core/record/records';
import type { ShardPlace } from '#ports/shard-reader';
import { UsageError } from './cli-error.ts';
import { countingNumber } from './io.ts';
import { parseReadFrom, parseUntil } from './read-from.ts';
import { typedWords } from './typed-words.ts';

/** As it was typed: typed again, it is the same replay. */
export interface ReplayWords {
  readonly from: string;
  readonly to?: string | undefined;
  readonly shard?: string | undefined;
  readonly key?: string | undefined;
}

export interface ReplayRange {
  readonly from: ShardPlace;
  readonly end: RangeEnd;
}

/**
 * How far this clock and the stream's may be apart: without an end of its own, a replay ends at the
 * tip, and at the latest with what arrives so long after it was begun.
 */
export const CLOCKS_APART_MS = 60_000;

/** @throws {UsageError} when a place is none, or the end is not behind the beginning. */
export function parseRange({ from, to }: ReplayWords, nowMs: number): ReplayRange {
  const begin = parseReadFrom(from, nowMs);
  if (begin.kind === 'latest')
    throw new UsageError('Nothing lies behind now: --from takes a place before it.');
  if (begin.kind === 'at' && begin.timestampMs > nowMs) {
    throw new UsageError(`--from is a time to come: ${from}.`);
  }
  const place = begin as ShardPlace;
  if (to === undefined) {
    return { from: place, end: { kind: 'time', untilMs: nowMs + CLOCKS_APART_MS } };
  }
  const end = endOf(to, nowMs);
  if (isBefore(end, place)) throw new UsageError(`--to ${to} lies before --from ${from}.`);
  return { from: place, end };
}

function endOf(to: string, nowMs: number): RangeEnd {
  const end = parseUntil(to, nowMs);
  if (end.kind === 'from') {
    return { kind: 'sequence', sequenceNumber: end.sequenceNumber as SequenceNumber };
  }
  if (end.timestampMs > nowMs) throw new UsageError(`--to is a time to come: ${to}.`);
  return { kind: 'time', untilMs: end.timestampMs };
}

function isBefore(end: RangeEnd, from: ShardPlace): boolean {
  if (end.kind === 'time') return from.kind === 'at' && end.untilMs < from.timestampMs;
  return from.kind === 'from' && BigInt(end.sequenceNumber) < BigInt(from.sequenceNumber);
}

/** @throws {UsageError} when it is no whole number above 0. */
export function parseRate(text: string): number {
  return countingNumber(text, '--rate');
}

/** The words of the command that goes on with it. */
export function replayCommand(
  of: { readonly pipeline: string; readonly consumer: string },
  { from, to, shard, key }: ReplayWords,
  more: readonly string[] = [],
): string {
  const options = { consumer: of.consumer, from, to, shard, key };
  const words = Object.entries(options).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, value],
  );
  return typedWords(['penstock', 'replay', of.pipeline, ...words, ...more]);
}
