/**
 * Reads what event source mappings gave up on, and has its consumer try each record once more.
 *
 * A document holds records that failed beside records that were never tried. Those that end are done;
 * those that come back alone go to quarantine, each for itself; then the document goes. Always true:
 * a document goes only after each of its records is finished or kept. A crash at any point leaves a
 * document that is read again, whose records the consumer then finds equal or stale.
 */
import { Defect } from '#core/assert';
import { CALL_BYTES_MAX } from '#core/batch/cut-calls';
import type { StoredRecord } from '#core/record/records';
import type { BreakerStore } from '#ports/breaker-store';
import type { Clock } from '#ports/clock';
import type { ConsumerCall } from '#ports/consumer-call';
import type { GivenUp, GivenUpDocuments } from '#ports/given-up-documents';
import type { Quarantine } from '#ports/quarantine';
import type { Report } from '#ports/report';
import { outOfTurnSender } from './send-out-of-turn.ts';
import type { OutOfTurnSender, Sent, SentEnd } from './send-out-of-turn.ts';
import { sideBySide } from './side-by-side.ts';
import { errorSentence } from './world-failure.ts';

export interface RecoverOptions {
  readonly pipeline: string;
  /** Records of one call, at most. */
  readonly recordsMax: number;
  /** So long after it was given up, a document of which nothing ends is tried again. */
  readonly waitMs: number;
  /** Begins nothing new once it aborts. */
  readonly signal: AbortSignal;
}

export interface RecoverPorts {
  readonly documents: GivenUpDocuments;
  readonly callOf: (consumer: string) => ConsumerCall;
  readonly quarantine: Quarantine;
  readonly marks: Pick<BreakerStore, 'read'>;
  readonly report: Report;
  readonly clock: Clock;
}

/** A second try beside the first: the next tick is the third. */
const TRIES_MAX = 2;
const PUTS_IN_FLIGHT = 8;

/**
 * @throws what a port threw first, once every document had its turn: that at hand stays. What lists
 *   them throws at once.
 */
export async function recover(options: RecoverOptions, ports: RecoverPorts): Promise<void> {
  const { pipeline, recordsMax, waitMs, signal } = options;
  const { documents, quarantine, marks, report, clock } = ports;
  // One for each consumer: a key that waits in one document waits in the next.
  const senders = new Map<string, Promise<OutOfTurnSender | undefined>>();
  let failure: { readonly error: unknown } | undefined;

  for await (const key of documents.list()) {
    if (signal.aborted) break;
    try {
      const document = await documents.read(key);
      if (document === undefined) report({ event: 'DocumentUnread', pipeline, key });
      else await recoverOne(key, document);
    } catch (error) {
      failure ??= { error };
      report({ event: 'DocumentFailed', pipeline, key, error: errorSentence(error) });
    }
  }
  if (failure !== undefined) throw failure.error;

  async function recoverOne(key: string, document: GivenUp): Promise<void> {
    const { consumer, condition, attempts, records } = document;
    const told = { pipeline, consumer, key, condition, attempts, records: records.length };
    const sender = await senderOf(consumer);
    if (sender === undefined) {
      report({ event: 'DocumentWaits', ...told, why: 'breaker' });
      return;
    }
    const { detail, ...sent } = await sender(records);
    const { ends } = sent;
    const why = whyWait(document, sent);
    if (why !== undefined) {
      report({ event: 'DocumentWaits', ...told, why, ...(detail && { detail }) });
      return;
    }
    const back = records.filter((_, at) => isBack(ends[at]));
    await sideBySide(back, { inFlightMax: () => PUTS_IN_FLIGHT }, (record) =>
      keep(record, document),
    );
    await documents.remove(key);
    const refused = ends.filter((end) => end === 'refused').length;
    const recovered = records.length - refused - back.length;
    report({ event: 'DocumentRecovered', ...told, recovered, refused, givenUp: back.length });
  }

  /** Undefined while the breaker is open: whatever is sent would be set aside. */
  function senderOf(consumer: string): Promise<OutOfTurnSender | undefined> {
    const make = async (): Promise<OutOfTurnSender | undefined> => {
      const { open } = await marks.read({ pipeline, consumer });
      if (open !== undefined) return undefined;
      const limits = { recordsMax, bytesMax: CALL_BYTES_MAX, triesMax: TRIES_MAX };
      const pace = { recordsPerSec: Infinity, passage: 'redrive', signal } as const;
      const call = patient(ports.callOf(consumer));
      return outOfTurnSender({ ...limits, ...pace }, { call, clock });
    };
    const sender = senders.get(consumer) ?? make();
    senders.set(consumer, sender);
    return sender;
  }

  /** Where nothing ends, the consumer is at fault and not the records, for a while. */
  function whyWait({ atMs }: GivenUp, { ends, stop }: Sent): 'time' | 'consumer' | undefined {
    if (signal.aborted && ends.some(isBack)) return 'time';
    const isYoung = clock.nowMs() - atMs < waitMs;
    return isYoung && (stop === 'fruitless' || ends.every(isBack)) ? 'consumer' : undefined;
  }

  async function keep(record: StoredRecord, { consumer, condition, attempts }: GivenUp) {
    const { data: payload, ...origin } = record;
    await quarantine.put({
      pipeline,
      stage: consumer,
      reason: 'given-up',
      detail: `${condition} after ${attempts} attempts, and it did not end when it was sent again`,
      place: `${record.shardId}-${record.sequenceNumber}`,
      payload,
      origin,
      // Dated by arrival, as what the consumer refuses.
      atMs: record.arrivalTimeMs,
    });
  }
}

/** Nothing is for good where there is a next tick: a consumer that is missing may be deployed by then. */
function patient(call: ConsumerCall): ConsumerCall {
  return async (records, passage) => {
    try {
      return await call(records, passage);
    } catch (cause) {
      if (cause instanceof Defect) throw cause;
      throw Object.assign(new Error(errorSentence(cause), { cause }), { retryable: true });
    }
  };
}

function isBack(end: SentEnd | undefined): boolean {
  return end === 'returned' || end === 'unsent' || end === 'too-large';
}
