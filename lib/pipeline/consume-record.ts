/** Brings one key's versions, or one refused record, to where they rest. */
import { Defect } from '#core/assert';
import { newestFirst } from '#core/record/fold';
import type { StoredRecord } from '#core/record/records';
import type { Refusal } from '#core/record/refusal';
import type { BatchBreaker } from './breaker.ts';
import { lowest } from './consume-batch.ts';
import type { BatchLedger, Delivery } from './consume-batch.ts';
import type { ConsumeOptions, ConsumePorts } from './consume-options.ts';
import { errorSentence, isRetryable } from './world-failure.ts';

/** A record that can never be stored, and why. */
export interface Reject {
  readonly place: number;
  readonly record: StoredRecord;
  readonly refusal: Refusal;
}

/** One invocation's own. */
export interface Batch {
  readonly ledger: BatchLedger;
  readonly gate: BatchBreaker;
}

export interface RecordKeeper {
  /**
   * Writes a key's newest version; on a failure its records stay unfinished, and so does what is
   * left of a key with many versions once no more work may start.
   */
  storeKey(versions: readonly Delivery[], batch: Batch, mayStart: () => boolean): Promise<void>;
  /** Puts a record into quarantine; on a failure, or held by the breaker, it stays unfinished. */
  setAside(reject: Reject, batch: Batch): Promise<void>;
}

/** Invariant: a record is finished only once it is stored, outranked or kept aside. */
export function recordKeeper(options: ConsumeOptions, ports: ConsumePorts): RecordKeeper {
  const { pipeline, consumer: stage } = options;
  const { table, quarantine, report } = ports;
  return { storeKey, setAside };

  /** The newest version that the table can hold stands for its elders in the batch. */
  async function storeKey(
    versions: readonly Delivery[],
    batch: Batch,
    mayStart: () => boolean,
  ): Promise<void> {
    const { ledger, gate } = batch;
    const ranked = newestFirst(versions, ({ event }) => event);
    for (const [rank, delivery] of ranked.entries()) {
      if (rank > 0 && !mayStart()) return;
      const elders = ranked.slice(rank + 1);
      const outcome = await attempt('table', [delivery, ...elders], () =>
        table.upsert(delivery.event),
      );
      if (outcome === undefined) return;
      if (outcome.kind === 'refused') {
        gate.count(outcome.reason);
        await setAside({ ...delivery, refusal: outcome }, batch);
        continue;
      }
      ledger.finish(delivery.place, outcome.kind);
      for (const elder of elders) ledger.finish(elder.place, 'folded');
      return;
    }
  }

  async function setAside(
    { place, record, refusal }: Reject,
    { ledger, gate }: Batch,
  ): Promise<void> {
    const { reason, detail } = refusal;
    const at = `${record.shardId}-${record.sequenceNumber}`;
    const kept = await attempt('quarantine', [{ record }], async () => {
      if (!(await gate.admits())) return false;
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
        error: errorSentence(error),
      });
      return undefined;
    }
  }
}
