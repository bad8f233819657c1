/**
 * Stores a shard's batch: each key's newest version, keys side by side within a bound.
 *
 * Always true: a record is in the table, outranked there, or in quarantine before it counts as
 * finished; the checkpoint follows the writes and never passes an unfinished record. A crash at any
 * point leaves writes that a second delivery finds equal or stale, and a checkpoint that is behind.
 */
import { assert, Defect } from '#core/assert';
import { decideProgress } from '#core/checkpoint/frontier';
import type { Progress } from '#core/checkpoint/frontier';
import { decodeEvent } from '#core/record/decode-event';
import { newestFirst } from '#core/record/fold';
import type { SequenceNumber, StoredRecord } from '#core/record/records';
import type { Refusal } from '#core/record/refusal';
import type { CheckpointStore } from '#ports/checkpoint-store';
import type { Clock } from '#ports/clock';
import type { Quarantine } from '#ports/quarantine';
import type { RecordTable } from '#ports/record-table';
import type { Report } from '#ports/report';
import { batchLedger, byKey, lowest } from './consume-batch.ts';
import type { BatchLedger, Delivery } from './consume-batch.ts';
import { sideBySide } from './side-by-side.ts';

export interface ConsumeOptions {
  readonly pipeline: string;
  readonly consumer: string;
  /** Keys in flight at once; as many ways into quarantine beside them. */
  readonly concurrency: number;
  /** Batches of the shard that may run at once; above 1 no frontier can be known. */
  readonly batchesPerShard: number;
}

export interface ConsumePorts {
  readonly table: RecordTable;
  readonly quarantine: Quarantine;
  readonly checkpoints: CheckpointStore;
  readonly report: Report;
  readonly clock: Clock;
  /** Strict UTF-8; throws where the bytes are none. */
  readonly decodeText: (bytes: Uint8Array) => string;
}

export interface ConsumeResult {
  /** Where the shard must resume; undefined when the whole batch is done. */
  readonly resumeAt?: SequenceNumber;
}

/** A record that can never be stored, and why. */
interface Reject {
  readonly place: number;
  readonly record: StoredRecord;
  readonly refusal: Refusal;
}

/**
 * Make a consumer of one shard's batches.
 *
 * Give it the records of one shard and the moment after which no new work may start; what was not
 * begun by then is returned. A failing key costs only itself.
 *
 * @throws {Defect} as it is; nothing else.
 */
export function batchConsumer(options: ConsumeOptions, ports: ConsumePorts) {
  const { pipeline, consumer: stage, concurrency } = options;
  const { table, quarantine, report, clock } = ports;

  return async function consume(
    records: readonly StoredRecord[],
    startUntilMs: number,
  ): Promise<ConsumeResult> {
    const startedMs = clock.nowMs();
    const shardId = records[0]?.shardId;
    if (shardId === undefined) return {};
    assert(records.every((record) => record.shardId === shardId), 'a batch is of one shard');

    const ledger = batchLedger(records);
    const { deliveries, rejects } = decode(records);
    const keys = byKey(deliveries);
    const bound = { concurrency, mayStart: () => clock.nowMs() < startUntilMs };
    // Two bounds, so that a slow quarantine does not keep the table waiting.
    const ends = await Promise.allSettled([
      sideBySide(keys, bound, (versions) => storeKey(versions, ledger)),
      sideBySide(rejects, bound, (reject) => setAside(reject, ledger)),
    ]);
    const started = ends.reduce((sum, end) => {
      if (end.status === 'rejected') throw end.reason;
      return sum + end.value;
    }, 0);

    const progress = decideProgress(records, ledger.isFinished);
    await saveProgress(progress, shardId);
    report({
      event: 'BatchConsumed',
      pipeline,
      consumer: stage,
      shardId,
      received: records.length,
      receivedBytes: records.reduce((sum, { data }) => sum + data.byteLength, 0),
      keys: keys.length,
      ...ledger.counts(),
      ...(progress.resumeAt && { resumeAt: progress.resumeAt }),
      outOfTime: started < keys.length + rejects.length,
      iteratorAgeMs: Math.max(0, startedMs - (records.at(-1)?.arrivalTimeMs ?? startedMs)),
      durationMs: clock.nowMs() - startedMs,
    });
    return progress.resumeAt === undefined ? {} : { resumeAt: progress.resumeAt };
  };

  function decode(records: readonly StoredRecord[]) {
    const deliveries: Delivery[] = [];
    const rejects: Reject[] = [];
    for (const [place, record] of records.entries()) {
      const decoded = decodeEvent(record.data, ports.decodeText);
      if (decoded.kind === 'event') deliveries.push({ place, record, event: decoded.event });
      else rejects.push({ place, record, refusal: decoded });
    }
    return { deliveries, rejects };
  }

  /** The newest version that the table can hold stands for its elders in the batch. */
  async function storeKey(versions: readonly Delivery[], ledger: BatchLedger): Promise<void> {
    const ranked = newestFirst(versions, ({ event }) => event);
    for (const [rank, delivery] of ranked.entries()) {
      const elders = ranked.slice(rank + 1);
      const outcome = await attempt('table', [delivery, ...elders], () =>
        table.upsert(delivery.event),
      );
      if (outcome === undefined) return;
      if (outcome.kind === 'refused') {
        await setAside({ ...delivery, refusal: outcome }, ledger);
        continue;
      }
      ledger.finish(delivery.place, outcome.kind);
      for (const elder of elders) ledger.finish(elder.place, 'folded');
      return;
    }
  }

  async function setAside({ place, record, refusal }: Reject, ledger: BatchLedger): Promise<void> {
    const { reason, detail } = refusal;
    const at = `${record.shardId}-${record.sequenceNumber}`;
    const kept = await attempt('quarantine', [{ record }], async () => {
      const { data: payload, arrivalTimeMs: atMs } = record;
      // Dated by arrival, so that a second refusal finds the place of the first.
      await quarantine.put({ pipeline, stage, reason, detail, place: at, payload, atMs });
      return true;
    });
    if (!kept) return;
    ledger.finish(place, 'refused');
    report({ event: 'RecordRefused', pipeline, stage, reason, detail, place: at });
  }

  /** Undefined when the world failed: the records that wait for it stay unfinished. */
  async function attempt<T>(
    into: 'table' | 'quarantine',
    waiting: readonly { readonly record: StoredRecord }[],
    work: () => Promise<T>,
  ): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Defect) throw error;
      const { shardId, sequenceNumber } = lowest(waiting.map(({ record }) => record));
      report({
        event: 'WriteFailed',
        pipeline,
        consumer: stage,
        into,
        shardId,
        sequenceNumber,
        records: waiting.length,
        retryable: isRetryable(error),
        error: sentenceOf(error),
      });
      return undefined;
    }
  }

  async function saveProgress(progress: Progress, shardId: string): Promise<void> {
    const reach = options.batchesPerShard > 1 ? 'highest-finished' : 'frontier';
    const record = reach === 'frontier' ? progress.frontier : progress.highestFinished;
    if (record === undefined) return;
    const { sequenceNumber, arrivalTimeMs } = record;
    const atMs = clock.nowMs();
    const place = { pipeline, consumer: stage, shardId, reach, sequenceNumber } as const;
    try {
      await ports.checkpoints.save({ ...place, arrivalTimeMs, atMs });
    } catch (error) {
      if (error instanceof Defect) throw error;
      // The writes stand. The next batch saves a later place.
      const failed = { event: 'CheckpointFailed', pipeline, consumer: stage, shardId } as const;
      report({ ...failed, error: sentenceOf(error) });
    }
  }
}

/** Adapters mark what a retry may help; what is unmarked needs a person. */
function isRetryable(error: unknown): boolean {
  return error instanceof Error && 'retryable' in error && error.retryable === true;
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
