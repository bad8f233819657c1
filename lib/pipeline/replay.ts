/**
 * Reads a stream a second time and gives its records to one consumer, out of their turn.
 *
 * Always true: within a shard a record is sent only when all before it are done, and a shard is begun
 * only when its parents are read out; so of one partition key, what came first is sent first. A place
 * is saved after its records are done: a crash sends some again, and skips none.
 */
import { cutAtEnd } from '#core/checkpoint/cut-at-end';
import type { RangeEnd } from '#core/checkpoint/cut-at-end';
import type { LinkedShard } from '#core/partition/lineage-walk';
import { lineageWalk } from '#core/partition/lineage-walk';
import type { StoredRecord } from '#core/record/records';
import type { Clock } from '#ports/clock';
import type { ConsumerCall } from '#ports/consumer-call';
import type { ReplayPlace } from '#ports/replay-store';
import type { ShardPlace, ShardReader } from '#ports/shard-reader';
import { outOfTurnSender } from './send-out-of-turn.ts';
import type { OutOfTurnOptions, SentEnd } from './send-out-of-turn.ts';

export interface ReplayStart extends LinkedShard {
  readonly from: ShardPlace;
  /** Done before, by a run that was ended. */
  readonly before: ReplayPlace | undefined;
}

export interface ReplayOptions extends Omit<OutOfTurnOptions, 'passage'> {
  /** Every shard of the range, those that were ended before too. */
  readonly shards: readonly ReplayStart[];
  readonly end: RangeEnd;
  /** Only records of this partition key. */
  readonly key: string | undefined;
  /** Shards that are read at once. */
  readonly lanes: number;
}

export interface ReplayPorts {
  readonly reader: ShardReader;
  readonly call: ConsumerCall;
  readonly clock: Clock;
  /** Keeps how far a shard has come. */
  move(place: ReplayPlace): Promise<void>;
  /** Told of records that came to rest, or to a stop. */
  onSent(records: readonly StoredRecord[], ends: readonly SentEnd[]): void;
}

export type ReplayEnd =
  | { readonly kind: 'done' }
  | { readonly kind: 'interrupted' }
  /** A record stays unfinished, however often it is sent. */
  | {
      readonly kind: 'stuck';
      readonly shardId: string;
      readonly sequenceNumber: string;
      readonly detail: string;
    };

/** Half of what a shard gives, and no more than two of its five reads a second: the rest is the consumers'. */
const READ_BYTES_PER_MS = 1_048_576 / 1_000;
const READ_GAP_MS = 500;

/** @throws what the ports throw; what was moved stays moved. */
export async function replay(options: ReplayOptions, ports: ReplayPorts): Promise<ReplayEnd> {
  const { lanes, signal, end, key } = options;
  const { clock, reader } = ports;
  const halt = new AbortController();
  const call = pacedCall(options.recordsPerSec, ports);
  const starts = new Map(options.shards.map((shard) => [shard.shardId, shard]));
  const walk = lineageWalk(options.shards);
  let stuck: (ReplayEnd & { kind: 'stuck' }) | undefined;

  await atMost(lanes, async (shardId) => {
    const start = starts.get(shardId);
    if (start === undefined || !(await readOut(start))) return;
    walk.end(shardId);
  });
  return stuck ?? { kind: signal.aborted ? 'interrupted' : 'done' };

  /** Reads one shard; false when it was halted before its end. */
  async function readOut({ shardId, from, before }: ReplayStart): Promise<boolean> {
    if (before?.ended) return true;
    let place = before ?? { shardId, sequenceNumber: null, records: 0, ended: false };
    const moveTo = async (next: Partial<ReplayPlace>): Promise<void> => {
      place = { ...place, ...next };
      await ports.move(place);
    };
    const send = senderOf(shardId, async (run, done) => {
      const last = run[done - 1];
      if (last === undefined) return;
      await moveTo({ sequenceNumber: last.sequenceNumber, records: place.records + done });
    });
    const done = before?.sequenceNumber ?? undefined;
    const at = done === undefined ? from : ({ kind: 'after', sequenceNumber: done } as const);
    const read = await reader.open(shardId, at);
    for (let nextReadMs = 0; ;) {
      await clock.sleep(Math.max(0, nextReadMs - clock.nowMs()));
      if (isHalted()) return false;
      const startedMs = clock.nowMs();
      const page = await read();
      const { records, isOver } = cutAtEnd(page.records, end);
      const bytes = page.records.reduce((sum, { data }) => sum + data.byteLength, 0);
      nextReadMs = startedMs + Math.max(READ_GAP_MS, bytes / READ_BYTES_PER_MS);
      await send(key === undefined ? records : records.filter((one) => one.partitionKey === key));
      if (isHalted()) return false;
      const ended = isOver || page.stand !== 'more';
      const last = records.at(-1);
      if (last !== undefined || ended) {
        await moveTo({ ...(last && { sequenceNumber: last.sequenceNumber }), ended });
      }
      if (ended) return true;
    }
  }

  /** @param settled is told how many of a call's records are done before the first that is not. */
  function senderOf(
    shardId: string,
    settled: (run: readonly StoredRecord[], done: number) => Promise<void>,
  ): (records: readonly StoredRecord[]) => Promise<void> {
    const { recordsPerSec, recordsMax, bytesMax, triesMax } = options;
    const limits = { recordsMax, bytesMax, triesMax, recordsPerSec };
    const stop = AbortSignal.any([signal, halt.signal]);
    const send = outOfTurnSender(
      { passage: 'replay', ...limits, signal: stop },
      {
        call,
        clock,
        async settle(run, ends) {
          const firstLeft = ends.findIndex((one) => one === 'returned' || one === 'unsent');
          ports.onSent(run, ends);
          await settled(run, firstLeft < 0 ? run.length : firstLeft);
          const left = run[firstLeft];
          if (left === undefined || stop.aborted) return;
          stuck ??= { kind: 'stuck', shardId, sequenceNumber: left.sequenceNumber, detail: '' };
          halt.abort();
        },
      },
    );
    return async (records) => {
      const { detail } = await send(records);
      if (stuck?.shardId === shardId && detail !== undefined) stuck = { ...stuck, detail };
    };
  }

  function isHalted(): boolean {
    return signal.aborted || halt.signal.aborted;
  }

  async function atMost(count: number, work: (shardId: string) => Promise<void>): Promise<void> {
    const running = new Set<Promise<void>>();
    let failure: { readonly error: unknown } | undefined;
    for (;;) {
      while (running.size < count && !isHalted()) {
        const shardId = walk.next();
        if (shardId === undefined) break;
        const job = work(shardId)
          .catch((error: unknown) => {
            failure ??= { error };
            halt.abort();
          })
          .finally(() => running.delete(job));
        running.add(job);
      }
      if (running.size === 0) break;
      await Promise.race(running);
    }
    if (failure !== undefined) throw failure.error;
  }
}

/** One rate for the calls of all shards. */
function pacedCall(recordsPerSec: number, { call, clock }: ReplayPorts): ConsumerCall {
  let freeAtMs = Number.NEGATIVE_INFINITY;
  return async (records, passage) => {
    const nowMs = clock.nowMs();
    const atMs = Math.max(freeAtMs, nowMs);
    freeAtMs = atMs + (records.length * 1_000) / recordsPerSec;
    if (atMs > nowMs) await clock.sleep(atMs - nowMs);
    return call(records, passage);
  };
}
