/**
 * Writes records to the stream until every one is confirmed.
 *
 * One request is in flight at a time and holds at most one record of a partition key. What was not
 * confirmed goes first in the next request, in its old order. So the first successful writes of a
 * key stand in the stream in the order given, whatever fails, throttles or stays unanswered.
 */
import { assert } from '#core/assert';
import { planRequest, REQUEST_LIMITS } from '#core/batch/plan-request';
import type { Pending, RequestLimits } from '#core/batch/plan-request';
import { backoffMs, PUT_BACKOFF } from '#core/source/backoff';
import type { OutgoingRecord } from '#core/record/records';
import type { Chance } from '#ports/chance';
import type { Clock } from '#ports/clock';
import type { Report } from '#ports/report';
import type { PutOutcome, StreamWriter } from '#ports/stream-writer';

/** Requests in a row that wrote nothing, before the stream is taken for unavailable. */
const FRUITLESS_PUTS_MAX = 12;

export interface SizedRecord extends Pending {
  readonly record: OutgoingRecord;
}

export type PutPermission = 'granted' | 'lease-lost' | 'out-of-time';

export interface PublishWorld {
  readonly writer: StreamWriter;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly report: Report;
  /** Asked before each request: is there time and lease enough to finish it? */
  readonly mayPut: () => Promise<PutPermission>;
}

export interface PublishResult {
  readonly kind: 'published' | 'lease-lost' | 'out-of-time' | 'stream-unavailable';
  readonly requests: number;
  /** Entries sent again. */
  readonly resent: number;
}

/**
 * Publish records in order, each confirmed.
 *
 * @throws what the writer throws: no retry can help.
 */
export async function publish(
  records: readonly SizedRecord[],
  { pipeline, limits = REQUEST_LIMITS }: { pipeline: string; limits?: RequestLimits },
  { writer, clock, chance, report, mayPut }: PublishWorld,
): Promise<PublishResult> {
  let pending = records;
  let requests = 0;
  let resent = 0;
  let fruitless = 0;

  while (pending.length > 0) {
    const permission = await mayPut();
    if (permission !== 'granted') return { kind: permission, requests, resent };
    const { request, later } = planRequest(pending, limits);
    const outcomes = await writer.put(request.map(({ record }) => record));
    assert(outcomes.length === request.length, 'a writer answers every record');
    requests++;

    const unwritten = request.filter((_, at) => outcomes[at]?.kind !== 'written');
    pending = [...unwritten, ...later];
    if (unwritten.length === 0) {
      fruitless = 0;
      continue;
    }
    resent += unwritten.length;
    report({ event: 'PutIncomplete', pipeline, ...countOutcomes(outcomes) });
    fruitless = unwritten.length < request.length ? 0 : fruitless + 1;
    if (fruitless === FRUITLESS_PUTS_MAX) return { kind: 'stream-unavailable', requests, resent };
    // Where something was written the stream is alive: what failed is hurried on, so that the
    // records that wait for it may follow.
    if (fruitless > 0) await clock.sleep(backoffMs(fruitless, PUT_BACKOFF, chance()));
  }
  return { kind: 'published', requests, resent };
}

function countOutcomes(outcomes: readonly PutOutcome[]) {
  const counts = { written: 0, throttled: 0, failed: 0, unknown: 0 };
  for (const { kind } of outcomes) counts[kind]++;
  return counts;
}
