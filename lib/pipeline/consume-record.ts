/** Brings one key's run of records, or one refused record, to where they rest. */
import { assert, Defect } from '#core/assert';
import type { StoredRecord } from '#core/record/records';
import type { Refusal } from '#core/record/refusal';
import type { Passage, SinkOutcome } from '#ports/sink';
import type { BatchBreaker } from './breaker.ts';
import { lowest } from './consume-batch.ts';
import type { BatchLedger, Delivery } from './consume-batch.ts';
import type { ConsumeOptions, ConsumePorts } from './consume-options.ts';
import { errorSentence, isRetryable } from './world-failure.ts';

/** A record that can never succeed, and why. */
export interface Reject {
  readonly place: number;
  readonly record: StoredRecord;
  readonly refusal: Refusal;
}

/** One invocation's own. */
export interface Batch {
  readonly ledger: BatchLedger;
  readonly gate: BatchBreaker;
  readonly passage: Passage;
  /** No work starts after this moment. */
  readonly startUntilMs: number;
}

const FINISHED = Promise.resolve(true);

export interface RecordKeeper {
  /** Brings a key's run to the sink; on a failure what the sink did not settle stays unfinished. */
  takeRun(run: readonly Delivery[], batch: Batch): Promise<void>;
  /** Puts a record into quarantine; on a failure, or held by the breaker, it stays unfinished. */
  setAside(reject: Reject, batch: Batch): Promise<void>;
}

/** Invariant: a record is finished only once the sink has settled it, or it is kept aside. */
export function recordKeeper(options: ConsumeOptions, ports: ConsumePorts): RecordKeeper {
  const { pipeline, consumer: stage } = options;
  const { sink, quarantine, report } = ports;
  return { takeRun, setAside };

  async function takeRun(run: readonly Delivery[], batch: Batch): Promise<void> {
    const { ledger, gate, passage, startUntilMs } = batch;
    // Once a record: what is not refused is settled without a promise of its own.
    const settle = (at: number, outcome: SinkOutcome): Promise<boolean> => {
      const delivery = run[at];
      assert(delivery !== undefined, 'a sink settles events of its run');
      if (outcome.kind === 'refused') return refuse({ ...delivery, refusal: outcome });
      ledger.finish(delivery.place, outcome.kind);
      return FINISHED;
    };
    const refuse = async (reject: Reject): Promise<boolean> => {
      gate.count(reject.refusal.reason);
      await setAside(reject, batch);
      return ledger.isFinished(reject.place);
    };
    const events = run.map(({ event }) => event);
    try {
      await sink.take(events, { passage, startUntilMs, settle });
    } catch (error) {
      const waiting = run.filter(({ place }) => !ledger.isFinished(place));
      tellFailed(sink.kind, waiting, error);
    }
  }

  async function setAside(
    { place, record, refusal }: Reject,
    { ledger, gate }: Batch,
  ): Promise<void> {
    const { reason, detail } = refusal;
    const { data: payload, ...origin } = record;
    const at = `${record.shardId}-${record.sequenceNumber}`;
    try {
      if (!(await gate.admits())) return;
      // Dated by arrival, so that a second refusal finds the place of the first.
      const atMs = record.arrivalTimeMs;
      await quarantine.put({ pipeline, stage, reason, detail, place: at, payload, origin, atMs });
    } catch (error) {
      tellFailed('quarantine', [{ record }], error);
      return;
    }
    ledger.finish(place, 'refused');
    report({ event: 'RecordRefused', pipeline, stage, reason, detail, place: at });
  }

  /** The world failed: the records that wait for it stay unfinished. @throws {Defect} as it is. */
  function tellFailed(
    into: 'table' | 'handler' | 'quarantine',
    waiting: readonly { readonly record: StoredRecord }[],
    error: unknown,
  ): void {
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
  }
}
