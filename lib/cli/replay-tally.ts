/** What a replay has done so far, and how long it may take. Pure. */
import type { StoredRecord } from '#core/record/records';
import type { SentEnd } from '#pipeline/send-out-of-turn';

type Counted = Exclude<SentEnd, 'unsent' | 'returned'>;

export interface ReplayTally {
  /** Of this run; what came back or was not sent is not among them. */
  readonly records: number;
  readonly bytes: number;
  readonly ends: Readonly<Record<Counted, number>>;
  readonly shards: { readonly ended: number; readonly all: number };
  /** Arrival of the last record that was sent, of the slowest shard; undefined before the first. */
  readonly standsAtMs: number | undefined;
  /** Until it is over, as fast as so far; undefined while nobody can say. */
  readonly leftMs: number | undefined;
}

export interface TallyAsk {
  /** Those ended before included. */
  readonly shards: number;
  readonly endedBefore: number;
  readonly startedMs: number;
  /** Arrival of the last record that there can be. */
  readonly untilMs: number;
}

export function replayTally({ shards: all, endedBefore, startedMs, untilMs }: TallyAsk) {
  let [records, bytes, ended] = [0, 0, endedBefore];
  let firstMs = Infinity;
  const ends: Record<Counted, number> = {
    written: 0,
    stale: 0,
    folded: 0,
    refused: 0,
    'too-large': 0,
  };
  const standsAt = new Map<string, number>();

  return {
    add(run: readonly StoredRecord[], outcomes: readonly SentEnd[]): void {
      for (const [at, record] of run.entries()) {
        const end = outcomes[at] ?? 'unsent';
        if (end === 'unsent' || end === 'returned') continue;
        records += 1;
        bytes += record.data.byteLength;
        ends[end] += 1;
        firstMs = Math.min(firstMs, record.arrivalTimeMs);
        standsAt.set(record.shardId, record.arrivalTimeMs);
      }
    },
    end(shardId: string): void {
      ended += 1;
      standsAt.delete(shardId);
    },
    look(nowMs: number): ReplayTally {
      const standsAtMs = standsAt.size === 0 ? undefined : Math.min(...standsAt.values());
      const doneMs = standsAtMs === undefined ? 0 : standsAtMs - firstMs;
      const leftMs =
        standsAtMs === undefined || doneMs <= 0
          ? undefined
          : ((nowMs - startedMs) * Math.max(0, untilMs - standsAtMs)) / doneMs;
      return { records, bytes, ends: { ...ends }, shards: { ended, all }, standsAtMs, leftMs };
    },
  };
}
