/** Gathers the records of one lane of a shard into batches. */
import type { Clock, KinesisLog, ReadFrom } from '#local/contracts';
import { heldRecord } from './kinesis-event.ts';
import type { EventSource, HeldRecord } from './kinesis-event.ts';
import { laneOfKey } from './lane-of-key.ts';
import type { Pauses } from './pause.ts';
import { planBatch } from './plan-batch.ts';
import type { BatchLimits } from './plan-batch.ts';

export interface LaneReaderSettings {
  readonly streamName: string;
  readonly source: EventSource;
  readonly lane: number;
  readonly lanes: number;
  readonly limits: BatchLimits;
  readonly batchingWindowMs: number;
  /** As AWS: at most one read a second, and no word of writes. */
  readonly isFaithful: boolean;
}

export interface LaneReaderDeps {
  readonly log: KinesisLog;
  readonly clock: Clock;
  readonly pauses: Pauses;
  isStopped(): boolean;
  onReadFailed(message: string): void;
}

export type Gathered =
  | { readonly kind: 'batch'; readonly records: readonly HeldRecord[] }
  | { readonly kind: 'too-large'; readonly records: readonly HeldRecord[] }
  | { readonly kind: 'ended' }
  | { readonly kind: 'stopped' };

export interface LaneReader {
  /** Waits for the next batch; a window begins with its first record. */
  gather(): Promise<Gathered>;
  /** True while it waits for records and none is there to be handed out. */
  isIdle(): boolean;
}

const POLL_MS = 1000;
/** @source Kinesis API 2013-12-02, GetRecords. */
const READ_MAX = { records: 10_000, bytes: 10 * 1024 * 1024 };

export function laneReader(
  start: ReadFrom,
  settings: LaneReaderSettings,
  { log, clock, pauses, isStopped, onReadFailed }: LaneReaderDeps,
): LaneReader {
  const { streamName, source, lane, lanes, limits, isFaithful } = settings;
  let held: HeldRecord[] = [];
  let heldBytes = 0;
  let from = start;
  let isEnded = false;
  let nextReadMs = 0;
  let isWaiting = false;
  const readMax = isFaithful ? READ_MAX : { ...READ_MAX, records: limits.recordsMax };

  /** True when another read may bring more at once. */
  const readOnce = (): boolean => {
    if (isEnded || (isFaithful && clock.nowMs() < nextReadMs)) return false;
    nextReadMs = clock.nowMs() + POLL_MS;
    const page = log.read(streamName, source.shardId, from, readMax);
    for (const record of page.records) {
      if (laneOfKey(record.partitionKey, lanes) !== lane) continue;
      const one = heldRecord(record, source);
      held.push(one);
      heldBytes += one.bytes;
    }
    const last = page.records.at(-1);
    if (last !== undefined) from = { kind: 'after', sequenceNumber: last.sequenceNumber };
    isEnded = page.endOfShard;
    return last !== undefined;
  };

  const hasRoom = (): boolean =>
    held.length < limits.recordsMax && heldBytes <= limits.payloadBytesMax;

  const fill = (): void => {
    while (hasRoom() && readOnce());
  };

  const take = (count: number): readonly HeldRecord[] => {
    const taken = held.slice(0, count);
    held = held.slice(count);
    for (const { bytes } of taken) heldBytes -= bytes;
    return taken;
  };

  return {
    isIdle() {
      if (!isWaiting || held.length > 0) return false;
      const one = { ...READ_MAX, records: 1 };
      return log.read(streamName, source.shardId, from, one).records.length === 0;
    },
    async gather() {
      let windowEndMs: number | undefined;
      while (!isStopped()) {
        try {
          fill();
        } catch (error) {
          onReadFailed(error instanceof Error ? error.message : String(error));
          await pauses.sleep(POLL_MS);
          continue;
        }
        const plan = planBatch(held, limits);
        if (plan.kind === 'too-large') return { kind: 'too-large', records: take(1) };
        const nowMs = clock.nowMs();
        if (plan.records > 0) {
          windowEndMs ??= nowMs + settings.batchingWindowMs;
          if (plan.isFull || isEnded || nowMs >= windowEndMs) {
            return { kind: 'batch', records: take(plan.records) };
          }
        } else if (isEnded) return { kind: 'ended' };
        const windowMs = windowEndMs === undefined ? Infinity : windowEndMs - nowMs;
        isWaiting = true;
        if (isFaithful) await pauses.sleep(Math.min(windowMs, Math.max(1, nextReadMs - nowMs)));
        else await pauses.untilWoken(windowMs === Infinity ? undefined : windowMs);
        isWaiting = false;
      }
      return { kind: 'stopped' };
    },
  };
}
