/**
 * Brings a shard's batch to a sink: each key's records in order, keys side by side within a bound.
 *
 * Always true: a record is settled by the sink, or in quarantine, before it counts as finished; the
 * checkpoint follows the writes and never passes an unfinished record. A crash at any point leaves
 * writes that a second delivery finds equal or stale, and a checkpoint that is behind.
 */
import { assert, Defect } from '#core/assert';
import { decideProgress } from '#core/checkpoint/frontier';
import type { Progress } from '#core/checkpoint/frontier';
import type { RecordEnd } from '#core/checkpoint/record-end';
import { decodeEvent } from '#core/record/decode-event';
import type { SequenceNumber, StoredRecord } from '#core/record/records';
import type { Delivery, Passage } from '#ports/sink';
import { consumerBreaker, NO_BREAKER } from './breaker.ts';
import { batchLedger } from './consume-batch.ts';
import type { ConsumeOptions, ConsumePorts } from './consume-options.ts';
import { recordKeeper } from './consume-record.ts';
import type { RecordKeeper, Reject } from './consume-record.ts';
import { sideBySide } from './side-by-side.ts';
import { errorSentence } from './world-failure.ts';

export interface ConsumeResult {
  /** Where the shard must resume; undefined when the whole batch is done. */
  readonly resumeAt?: SequenceNumber;
  /** How each record ended, by its place in the batch. */
  readonly ends: readonly RecordEnd[];
}

export type ConsumeBatch = (
  /** Of one shard. */
  records: readonly StoredRecord[],
  way: {
    readonly passage: Passage;
    /** No work starts after this moment; what was not begun by then is returned. */
    readonly startUntilMs: number;
  },
) => Promise<ConsumeResult>;

/**
 * Make a consumer of shards' batches; in each, a failing key or record costs only itself.
 *
 * What it returns throws a `Defect` of ours as it is, and nothing else.
 */
export function batchConsumer(options: ConsumeOptions, ports: ConsumePorts): ConsumeBatch {
  const { pipeline, consumer, concurrency } = options;
  const { report, clock } = ports;
  const breaker = consumerBreaker(options, ports);

  return async (records, { passage, startUntilMs }) => {
    const startedMs = clock.nowMs();
    const last = records.at(-1);
    if (last === undefined) return { ends: [] };
    const { shardId } = last;
    const ledger = batchLedger(records);
    const { runs, rejects, receivedBytes } = decode(records, shardId);
    const reasons = rejects.map(({ refusal }) => refusal.reason);
    const gate = passage === 'stream' ? breaker.begin(records.length, reasons) : NO_BREAKER;
    const batch = { records, ledger, gate, passage, startUntilMs };
    await work(runs, rejects, { keeper: recordKeeper(options, ports, batch), startUntilMs });
    const held = await gate.hasHeld();

    const progress = decideProgress(records, ledger.isFinished);
    // Out of its turn a record says nothing about what stands before it.
    if (passage === 'stream') await saveProgress(progress, records, runs);
    const { resumeAt } = progress;
    report({
      event: 'BatchConsumed',
      pipeline,
      consumer,
      shardId,
      passage,
      received: records.length,
      receivedBytes,
      keys: runs.length,
      ...ledger.counts,
      ...(resumeAt && { resumeAt }),
      held,
      outOfTime: resumeAt !== undefined && clock.nowMs() >= startUntilMs,
      iteratorAgeMs: Math.max(0, startedMs - last.arrivalTimeMs),
      durationMs: clock.nowMs() - startedMs,
    });
    return { ...(resumeAt && { resumeAt }), ends: ledger.ends };
  };

  /** Each key's events in the order they came; keys in the order they first appear. */
  function decode(records: readonly StoredRecord[], shardId: string) {
    const runs = new Map<string, Delivery[]>();
    const rejects: Reject[] = [];
    let receivedBytes = 0;
    for (const [place, record] of records.entries()) {
      assert(record.shardId === shardId, 'a batch is of one shard');
      receivedBytes += record.data.byteLength;
      const decoded = decodeEvent(record.data, ports.decodeText);
      if (decoded.kind === 'refused') {
        rejects.push({ place, refusal: decoded });
        continue;
      }
      const { event } = decoded;
      const run = runs.get(event.subject);
      if (run === undefined) runs.set(event.subject, [{ place, event }]);
      else run.push({ place, event });
    }
    return { runs: [...runs.values()], rejects, receivedBytes };
  }

  /** Returns once nothing is in flight any more. */
  async function work(
    runs: readonly (readonly Delivery[])[],
    rejects: readonly Reject[],
    { keeper, startUntilMs }: { readonly keeper: RecordKeeper; readonly startUntilMs: number },
  ): Promise<void> {
    const mayStart = () => clock.nowMs() < startUntilMs;
    const keysMax = () => Math.min(concurrency, ports.sink.keysMax?.() ?? concurrency);
    // Two bounds, so that a slow quarantine does not keep the sink waiting.
    const ends = await Promise.allSettled([
      sideBySide(runs, { inFlightMax: keysMax, mayStart }, keeper.takeRun),
      sideBySide(rejects, { inFlightMax: () => concurrency, mayStart }, keeper.setAside),
    ]);
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }

  async function saveProgress(
    progress: Progress,
    records: readonly StoredRecord[],
    runs: readonly (readonly Delivery[])[],
  ): Promise<void> {
    const reach = options.batchesPerShard > 1 ? 'highest-finished' : 'frontier';
    const record = reach === 'frontier' ? progress.frontier : progress.highestFinished;
    if (record === undefined) return;
    const { shardId, sequenceNumber, arrivalTimeMs } = record;
    const isOf = ({ place }: Delivery): boolean => records[place] === record;
    const time = runs.findLast((run) => run.some(isOf))?.find(isOf)?.event.time ?? '';
    const eventTimeMs = Date.parse(time);
    const place = {
      pipeline,
      consumer,
      shardId,
      reach,
      sequenceNumber,
      arrivalTimeMs,
      ...(!Number.isNaN(eventTimeMs) && { eventTimeMs }),
      atMs: clock.nowMs(),
    } as const;
    try {
      await ports.checkpoints.save(place, progress.done);
    } catch (error) {
      if (error instanceof Defect) throw error;
      // The writes stand. The next batch saves a later place.
      const failed = { event: 'CheckpointFailed', pipeline, consumer, shardId } as const;
      report({ ...failed, error: errorSentence(error) });
    }
  }
}
