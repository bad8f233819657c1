/** Gathers the records of one lane of a shard into batches. */
import type { Clock, KinesisLog, LogRecord, ReadFrom } from '#local/contracts';
import type { RecordFilter } from './filter/record-filter.ts';
import { heldRecord } from './kinesis-event.ts';
import type { EventSource, HeldRecord } from './kinesis-event.ts';
import { laneOfKey } from './lane-of-key.ts';
import type { LanePlace } from './lane-places.ts';
import { isBeyond, isPassed } from './passed-before.ts';
import type { Pauses } from './pause.ts';
import { planBatch } from './plan-batch.ts';
import type { BatchLimits } from './plan-batch.ts';
import { windowAt } from './tumbling-window.ts';
import type { WindowState } from './tumbling-window.ts';

export interface LaneReaderSettings {
  readonly streamName: string;
  readonly source: EventSource;
  readonly lane: number;
  readonly lanes: number;
  readonly limits: Omit<BatchLimits, 'beforeMs'>;
  readonly batchingWindowMs: number;
  /** 0: no windows. */
  readonly tumblingWindowSec: number;
  readonly filter: RecordFilter | undefined;
  /** As AWS: at most one read a second, and no word of writes. */
  readonly isFaithful: boolean;
}

export interface LaneReaderDeps {
  readonly log: Pick<KinesisLog, 'read'>;
  readonly clock: Clock;
  readonly pauses: Pauses;
  isStopped(): boolean;
  onReadFailed(message: string): void;
  /** Read these, of which so many are dropped by the filter. */
  onPolled(records: number, filtered: number): void;
  /** Nothing is held, and everything up to here is done: records that were dropped, or of other lanes. */
  onPassed(sequenceNumber: string): void;
}

export type Gathered =
  | { readonly kind: 'batch'; readonly records: readonly HeldRecord[] }
  | { readonly kind: 'too-large'; readonly records: readonly HeldRecord[] }
  /** No record of the open window is left, and none will come. */
  | { readonly kind: 'window-over' }
  | { readonly kind: 'ended' }
  | { readonly kind: 'stopped' };

export interface LaneReader {
  /** Waits for the next batch; a batching window begins with its first record. */
  gather(open: WindowState | undefined): Promise<Gathered>;
  /** True while it waits for records and none is there to be handed out. */
  isIdle(): boolean;
}

const POLL_MS = 1000;
/** @source Kinesis API 2013-12-02, GetRecords. */
const READ_MAX = { records: 10_000, bytes: 10 * 1024 * 1024 };
/** @source Lambda Developer Guide, "Implementing stateful Kinesis …": "Lambda waits for up to 2 minutes". */
const WINDOW_GRACE_MS = 120_000;

export function laneReader(
  start: Exclude<LanePlace, { kind: 'ended' }>,
  settings: LaneReaderSettings,
  deps: LaneReaderDeps,
): LaneReader {
  const { streamName, source, limits, isFaithful } = settings;
  const { log, clock, pauses, isStopped } = deps;
  let held: HeldRecord[] = [];
  let heldBytes = 0;
  let from: ReadFrom = start;
  let isEnded = false;
  let nextReadMs = 0;
  let isWaiting = false;
  const isWanted = wantedBy(start, settings, deps);
  const readMax = isFaithful
    ? READ_MAX
    : { ...READ_MAX, records: Math.max(limits.recordsMax, 100) };

  /** True when another read may bring more at once. */
  const readOnce = (): boolean => {
    if (isEnded || (isFaithful && clock.nowMs() < nextReadMs)) return false;
    nextReadMs = clock.nowMs() + POLL_MS;
    const page = log.read(streamName, source.shardId, from, readMax);
    for (const record of isWanted(page.records)) {
      const one = heldRecord(record, source);
      held.push(one);
      heldBytes += one.bytes;
    }
    isEnded = page.endOfShard;
    const last = page.records.at(-1);
    if (last === undefined) return false;
    from = { kind: 'after', sequenceNumber: last.sequenceNumber };
    if (held.length === 0) deps.onPassed(last.sequenceNumber);
    return true;
  };

  const hasRoom = (): boolean =>
    held.length < limits.recordsMax && heldBytes <= limits.payloadBytesMax;

  const fill = (): void => {
    while (hasRoom() && readOnce());
  };

  const take = (count: number): readonly HeldRecord[] => {
    const taken = held.splice(0, count);
    for (const { bytes } of taken) heldBytes -= bytes;
    return taken;
  };

  /** The end of the window of the next record, or of the open one: no batch reaches beyond it. */
  const windowEndMs = (open: WindowState | undefined): number | undefined => {
    if (open !== undefined) return open.endMs;
    const next = held[0];
    return next === undefined || settings.tumblingWindowSec === 0
      ? undefined
      : windowAt(next.arrivalTimeMs, settings.tumblingWindowSec).endMs;
  };

  const wait = async (untilMs: number): Promise<void> => {
    const leftMs = untilMs - clock.nowMs();
    isWaiting = true;
    if (isFaithful) {
      await pauses.sleep(Math.min(leftMs, Math.max(1, nextReadMs - clock.nowMs())));
    } else await pauses.untilWoken(leftMs === Infinity ? undefined : leftMs);
    isWaiting = false;
  };

  return {
    isIdle() {
      if (!isWaiting || held.length > 0) return false;
      const one = { ...READ_MAX, records: 1 };
      try {
        return log.read(streamName, source.shardId, from, one).records.length === 0;
      } catch {
        // Of a stream that is gone there is nothing to wait for.
        return true;
      }
    },
    async gather(open) {
      let batchingEndMs = Infinity;
      while (!isStopped()) {
        try {
          fill();
        } catch (error) {
          deps.onReadFailed(error instanceof Error ? error.message : String(error));
          await pauses.sleep(POLL_MS);
          continue;
        }
        const beforeMs = windowEndMs(open);
        const plan = planBatch(held, beforeMs === undefined ? limits : { ...limits, beforeMs });
        if (plan.kind === 'too-large') return { kind: 'too-large', records: take(1) };
        const nowMs = clock.nowMs();
        const overMs = (beforeMs ?? Infinity) + (isFaithful ? WINDOW_GRACE_MS : 0);
        if (plan.records > 0) {
          batchingEndMs = Math.min(batchingEndMs, nowMs + settings.batchingWindowMs, overMs);
          if (plan.isFull || isEnded || nowMs >= batchingEndMs) {
            return { kind: 'batch', records: take(plan.records) };
          }
        } else if (open !== undefined && (held.length > 0 || isEnded || nowMs >= overMs)) {
          return { kind: 'window-over' };
        } else if (isEnded) return { kind: 'ended' };
        await wait(Math.min(batchingEndMs, overMs));
      }
      return { kind: 'stopped' };
    },
  };
}

/** Leaves out what is of another lane, was done before the lanes changed, or is filtered. */
function wantedBy(
  start: Exclude<LanePlace, { kind: 'ended' }>,
  { lane, lanes, filter, source }: LaneReaderSettings,
  { onPolled }: LaneReaderDeps,
): (records: readonly LogRecord[]) => readonly LogRecord[] {
  let { passed } = start;
  return (records) => {
    const own =
      lanes === 1
        ? records
        : records.filter(({ partitionKey }) => laneOfKey(partitionKey, lanes) === lane);
    const before = passed;
    const fresh = before === undefined ? own : own.filter((record) => !isPassed(record, before));
    const last = records.at(-1);
    if (before !== undefined && last !== undefined && isBeyond(last.sequenceNumber, before)) {
      passed = undefined;
    }
    const wanted = filter === undefined ? fresh : fresh.filter((record) => filter(record, source));
    if (fresh.length > 0) onPolled(fresh.length, fresh.length - wanted.length);
    return wanted;
  };
}
