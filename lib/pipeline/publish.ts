/**
 * Writes records to a stream until every one is confirmed.
 *
 * Several requests may be in flight; of a partition key at most one record is, whatever fails,
 * throttles or stays unanswered. So the first successful writes of a key stand in the stream in the
 * order given. What is not confirmed goes first in the next request. Memory is bounded: a source
 * that runs ahead waits.
 */
import { Defect } from '#core/assert';
import { RECORD_BYTES_MAX_DEFAULT } from '#core/batch/record-size';
import { refuseRecord } from '#core/batch/refuse-record';
import { NO_LANES, publishQueue } from '#core/batch/publish-queue';
import type { Pending } from '#core/batch/publish-queue';
import { REQUEST_LIMITS } from '#core/batch/request-limits';
import type { RequestLimits } from '#core/batch/request-limits';
import type { OutgoingRecord } from '#core/record/records';
import type { Refusal } from '#core/record/refusal';
import type { Chance } from '#ports/chance';
import type { Clock } from '#ports/clock';
import type { Report } from '#ports/report';
import type { StreamWriter } from '#ports/stream-writer';
import { bellOf } from './bell.ts';
import { inputOf } from './input.ts';
import type { Pacer } from './pacer.ts';
import { requestFlight } from './request-flight.ts';

/** Accepted and not confirmed, at most: as far as a key whose records wait is looked past. */
const BUFFER_RECORDS_MAX = 10_000;
/** Beside others in flight, what a slow shard has saved up goes no more often than this. */
const SLOW_SHARD_MS = 100;
/** Permission is asked for again at least so often, however long a shard is to be waited for. */
const WAIT_MS_MAX = 1_000;

export interface SizedRecord extends Pending {
  readonly record: OutgoingRecord;
}

export type PutPermission = 'granted' | 'lease-lost' | 'out-of-time';

export interface PublishOptions {
  readonly pipeline: string;
  readonly limits?: RequestLimits;
  /** The stream's own limit of a record, partition key and data together; 1 MiB unless given. */
  readonly recordBytesMax?: number;
  /** 1 unless given. */
  readonly requestsInFlight?: number;
  /** Accepted and not confirmed, at most; one request's bytes unless given. */
  readonly bufferBytesMax?: number;
}

export interface PublishWorld {
  readonly writer: StreamWriter;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly report: Report;
  /** Undefined: shards that throttle are asked again at once. */
  readonly pacer?: Pacer;
  /** Asked before each request: is there time and lease enough to finish it? */
  readonly mayPut: () => Promise<PutPermission>;
  /** Ends the work early: what is in flight is not waited for longer than the writer does. */
  readonly signal?: AbortSignal;
}

/** Why no more is sent. */
export interface PublishEnd {
  readonly kind:
    | 'published'
    | 'lease-lost'
    | 'out-of-time'
    | 'stream-unavailable'
    | 'aborted'
    | 'failed';
  /** Of `failed`: the writer said that no retry can help, or the source of records threw. */
  readonly error?: unknown;
}

export interface PublishResult<R extends SizedRecord = SizedRecord> extends PublishEnd {
  /** `accepted` = `confirmed` + `returned`. */
  readonly accepted: number;
  readonly confirmed: number;
  /** How many are unconfirmed. */
  readonly returned: number;
  /** Every record accepted before this many is confirmed: as far as a cursor may move. */
  readonly frontier: number;
  /** In the order accepted. One that was sent and not answered may be in the stream. */
  readonly unconfirmed: readonly R[];
  /** Never accepted, as no stream would take them; in order. */
  readonly refused: readonly { readonly record: R; readonly refusal: Refusal }[];
  readonly requests: number;
  /** Entries sent again. */
  readonly resent: number;
}

/** Publish records in order, each confirmed. Only a defect of ours is thrown. */
export async function publish<R extends SizedRecord>(
  records: AsyncIterable<R> | Iterable<R>,
  options: PublishOptions,
  world: PublishWorld,
): Promise<PublishResult<R>> {
  const { limits = REQUEST_LIMITS, requestsInFlight = 1 } = options;
  const { recordBytesMax = RECORD_BYTES_MAX_DEFAULT } = options;
  const { bufferBytesMax = (requestsInFlight + 1) * limits.requestBytesMax } = options;
  const { pacer, signal, mayPut, clock } = world;
  const queue = publishQueue<R>(limits);
  const bell = bellOf();
  const input = inputOf(records, bell.ring);
  const flight = requestFlight(queue, options, world, bell.ring);
  const refused: { record: R; refusal: Refusal }[] = [];
  let startedMs = 0;
  let end: PublishEnd | undefined;
  signal?.addEventListener('abort', bell.ring);

  while (end === undefined || flight.size() > 0) {
    if (end === undefined) {
      await fill();
      const before = flight.tally().requests;
      end = earlyEnd() ?? (await startAll());
      // There may be enough for another; if none may go yet, what goes next is made ready meanwhile.
      if (end === undefined && flight.tally().requests > before) continue;
    }
    if (end === undefined || flight.size() > 0) await pause();
  }
  signal?.removeEventListener('abort', bell.ring);
  await input.close();
  return result(end);

  /** Takes what is at hand, as far as there is room, and until it is enough to go on with. */
  async function fill(): Promise<void> {
    while (queue.bytes() < bufferBytesMax && queue.size() < BUFFER_RECORDS_MAX) {
      if (queue.hasRequestToSpare()) return;
      const record = input.take() ?? (await input.wait());
      if (record === undefined) return;
      const refusal = refuseRecord(record, recordBytesMax);
      if (refusal === undefined) queue.push(record);
      else refused.push({ record, refusal });
    }
  }

  function hasSlot(): boolean {
    return flight.size() < requestsInFlight;
  }

  function earlyEnd(): PublishEnd | undefined {
    if (signal?.aborted) return { kind: 'aborted' };
    if (input.state() === 'failed') return { kind: 'failed', error: input.error() };
    return flight.end();
  }

  /** Starts requests while there is something to send that is worth one. */
  async function startAll(): Promise<PublishEnd | undefined> {
    if (pacer?.hasChanged()) queue.forgetLanes();
    while (hasSlot() && queue.hasWaiting() && isWorthARequest()) {
      if (flight.quietMs() > 0) return undefined;
      const refusal = await refusalToPut();
      if (refusal !== undefined) return refusal;
      const taken = queue.take(pacer ?? NO_LANES);
      if (taken.length === 0) return undefined;
      flight.start(taken);
      startedMs = clock.nowMs();
    }
    return input.state() === 'ended' && queue.size() === 0 ? { kind: 'published' } : undefined;
  }

  async function refusalToPut(): Promise<PublishEnd | undefined> {
    try {
      const permission = await mayPut();
      return permission === 'granted' ? undefined : { kind: permission };
    } catch (error) {
      return { kind: 'failed', error };
    }
  }

  /**
   * A request beside others goes only when it is full and others can be filled as well, or takes the
   * last there is: so without faults there are no more requests than one at a time would need. A
   * slow shard does not wait for the answers of others.
   */
  function isWorthARequest(): boolean {
    if (flight.size() === 0 || queue.hasRequestToSpare()) return true;
    if (input.state() === 'ended' && queue.isUnblocked()) return true;
    return slowShardMs() === 0;
  }

  /** Milliseconds until a slow shard is worth a request of its own; Infinity when none waits. */
  function slowShardMs(): number {
    const waits = queue.lanes().map((lane) => pacer?.waitMs(lane) ?? 0);
    const restMs = flight.size() === 0 ? 0 : startedMs + SLOW_SHARD_MS - clock.nowMs();
    return Math.max(0, restMs, Math.min(Infinity, ...waits));
  }

  /** Until an answer or a record arrives, or a shard that was waited for takes more. */
  async function pause(): Promise<void> {
    const waitMs = end === undefined && hasSlot() ? flight.quietMs() || slowShardMs() : Infinity;
    if (waitMs === Infinity) await bell.heard();
    else await Promise.race([bell.heard(), clock.sleep(Math.min(waitMs, WAIT_MS_MAX))]);
  }

  function result(why: PublishEnd): PublishResult<R> {
    if (why.error instanceof Defect) throw why.error;
    const unconfirmed = queue.drain().map(({ record }) => record);
    const accepted = queue.accepted();
    return {
      ...why,
      accepted,
      confirmed: accepted - queue.size(),
      returned: unconfirmed.length,
      frontier: queue.frontier(),
      unconfirmed,
      refused,
      ...flight.tally(),
    };
  }
}
