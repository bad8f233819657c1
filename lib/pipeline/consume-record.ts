/** Brings one key's run of records, or one refused record, to where they rest. */
import { assert, Defect } from '#core/assert';
import { compareSequences } from '#core/checkpoint/compare-sequences';
import type { StoredRecord } from '#core/record/records';
import type { Refusal } from '#core/record/refusal';
import type { Delivery, Passage, Turn } from '#ports/sink';
import type { BatchBreaker } from './breaker.ts';
import type { BatchLedger } from './consume-batch.ts';
import type { ConsumeOptions, ConsumePorts } from './consume-options.ts';
import { errorSentence, isRetryable } from './world-failure.ts';

/** The place of a record that can never succeed, and why. */
export interface Reject {
  readonly place: number;
  readonly refusal: Refusal;
}

/** One invocation's own. */
export interface Batch {
  readonly records: readonly StoredRecord[];
  readonly ledger: BatchLedger;
  readonly gate: BatchBreaker;
  readonly passage: Passage;
  /** No work starts after this moment. */
  readonly startUntilMs: number;
}

export interface RecordKeeper {
  /** Brings a key's run to the sink; on a failure what the sink did not settle stays unfinished. */
  takeRun(run: readonly Delivery[]): Promise<void>;
  /** Puts a record into quarantine; on a failure, or held by the breaker, it stays unfinished. */
  setAside(reject: Reject): Promise<void>;
}

/** Invariant: a record is finished only once the sink has settled it, or it is kept aside. */
export function recordKeeper(
  { pipeline, consumer }: ConsumeOptions,
  { sink, quarantine, report }: ConsumePorts,
  { records, ledger, gate, passage, startUntilMs }: Batch,
): RecordKeeper {
  const turn: Turn = {
    passage,
    startUntilMs,
    finish: ledger.finish,
    async refuse(place, refusal) {
      gate.count(refusal.reason);
      await setAside({ place, refusal });
      return ledger.isFinished(place);
    },
  };
  return { takeRun, setAside };

  async function takeRun(run: readonly Delivery[]): Promise<void> {
    try {
      await sink.take(run, turn);
    } catch (error) {
      const waiting = run.filter(({ place }) => !ledger.isFinished(place));
      tellFailed(sink.kind, waiting, error);
    }
  }

  async function setAside(reject: Reject): Promise<void> {
    const { place, refusal } = reject;
    const { reason, detail } = refusal;
    const { data: payload, ...origin } = recordAt(place);
    const at = `${origin.shardId}-${origin.sequenceNumber}`;
    const told = { pipeline, stage: consumer, reason, detail, place: at };
    try {
      if (!(await gate.admits())) return;
      // Dated by arrival, so that a second refusal finds the place of the first.
      await quarantine.put({ ...told, payload, origin, atMs: origin.arrivalTimeMs });
    } catch (error) {
      tellFailed('quarantine', [reject], error);
      return;
    }
    ledger.finish(place, 'refused');
    report({ event: 'RecordRefused', ...told });
  }

  /** The world failed: the records that wait for it stay unfinished. @throws {Defect} as it is. */
  function tellFailed(
    into: 'table' | 'handler' | 'quarantine',
    waiting: readonly { readonly place: number }[],
    error: unknown,
  ): void {
    if (error instanceof Defect) throw error;
    const [first] = waiting
      .map(({ place }) => recordAt(place))
      .sort((a, b) => compareSequences(a.sequenceNumber, b.sequenceNumber));
    assert(first !== undefined, 'who fails has records that wait');
    const { shardId, sequenceNumber } = first;
    report({
      event: 'WriteFailed',
      pipeline,
      consumer,
      into,
      shardId,
      sequenceNumber,
      records: waiting.length,
      retryable: isRetryable(error),
      error: errorSentence(error),
    });
  }

  function recordAt(place: number): StoredRecord {
    const record = records[place];
    assert(record !== undefined, 'a place is one of the batch');
    return record;
  }
}
