/** Brings one batch to its end: finished, or given up, piece by piece and in order. */
import type { Chance, Clock, InvokeResult } from '#local/contracts';
import { decideNext } from './decide-next.ts';
import type { Next, Piece, RetryRules } from './decide-next.ts';
import type { GiveUp } from './failure-document.ts';
import { judgeAnswer } from './judge-answer.ts';
import type { Verdict } from './judge-answer.ts';
import { eventOf } from './kinesis-event.ts';
import type { HeldRecord } from './kinesis-event.ts';
import type { ShardEvent } from './mapping-event.ts';
import { retryDelayMs } from './retry-delay.ts';
import type { RetryPace } from './retry-delay.ts';
import { spanOf } from './span-of.ts';

export interface DeliveryRules extends RetryRules {
  readonly reportsItemFailures: boolean;
  readonly recordAgeSecMax: number | undefined;
  readonly pace: RetryPace;
}

export interface DeliveryDeps {
  readonly clock: Clock;
  readonly chance: Chance;
  invoke(payload: string): Promise<InvokeResult>;
  sleep(durationMs: number): Promise<void>;
  isStopped(): boolean;
  /** Everything of the lane up to this record is finished or given up. */
  moveTo(sequenceNumber: string): void;
  giveUp(giveUp: GiveUp & { readonly detail: string }): void;
  /** How many of the first of these the stream no longer has. */
  countGone(records: readonly HeldRecord[]): number;
  emit(event: ShardEvent): void;
}

/** The tumbling window that a batch is of. */
export interface BatchWindow {
  /** Stands beside the records of the event. */
  members(): string;
  keep(state: string): void;
}

export interface Batch {
  readonly records: readonly HeldRecord[];
  readonly window?: BatchWindow;
  /** To be delivered once more when it is finished. */
  readonly again?: boolean;
}

type HeldPiece = Piece<HeldRecord>;

interface Delivery {
  readonly rules: DeliveryRules;
  readonly deps: DeliveryDeps;
  readonly window: BatchWindow | undefined;
}

/**
 * Try a batch until nothing of it is left, or the mapping stops.
 *
 * Pieces are worked on one after another in the order of the shard, so a place that was moved to
 * has nothing unfinished before it.
 */
export async function deliverBatch(
  { records, window, again = false }: Batch,
  rules: DeliveryRules,
  deps: DeliveryDeps,
): Promise<void> {
  const delivery: Delivery = { rules, deps, window };
  let pieces: readonly HeldPiece[] = [{ records, failures: 0, stalls: 0, invokes: 0, again }];
  while (!deps.isStopped()) {
    const [oldest, ...later] = pieces;
    if (oldest === undefined) return;
    const piece = shedAged(shedGone(oldest, delivery), delivery);
    pieces = piece.records.length === 0 ? later : [...(await tryPiece(piece, delivery)), ...later];
  }
}

/** One attempt; what is left of the piece, in order. */
async function tryPiece(piece: HeldPiece, delivery: Delivery): Promise<readonly HeldPiece[]> {
  const { records } = piece;
  const { rules, deps } = delivery;
  const attempt = piece.invokes + 1;
  const last = records.at(-1);
  const iteratorAgeMs = Math.max(0, deps.clock.nowMs() - (last?.arrivalTimeMs ?? 0));
  deps.emit({ kind: 'batch', ...spanOf(records), attempt, iteratorAgeMs });
  const { verdict, requestId } = await attemptOnce(records, delivery);
  // An end that we brought about says nothing of the records: they are read again next time.
  if (deps.isStopped() && verdict.kind === 'failed') return [piece];
  const next = decideNext(piece, verdict, rules);
  if (verdict.kind === 'finished' && next.kind === 'retry') return [next.piece];
  moveOn(verdict, records, delivery);
  if (verdict.kind === 'finished') return [];
  return goOn(next, verdict, { records, attempt, requestId }, deps, rules.pace);
}

/** Keeps what an attempt has finished. */
function moveOn(
  verdict: Verdict,
  records: readonly HeldRecord[],
  { deps, window }: Delivery,
): void {
  if (verdict.kind !== 'finished' && verdict.kind !== 'partial') return;
  const finished = verdict.kind === 'finished' ? records : records.slice(0, verdict.finished);
  if (verdict.state !== undefined) window?.keep(verdict.state);
  const span = spanOf(finished);
  deps.moveTo(span.lastSequenceNumber);
  deps.emit({ kind: 'finished', ...span });
}

interface Attempted {
  readonly records: readonly HeldRecord[];
  readonly attempt: number;
  readonly requestId: string | undefined;
}

/** What is left after an attempt that did not finish all. */
async function goOn(
  next: Next<HeldRecord>,
  verdict: Exclude<Verdict, { kind: 'finished' }>,
  { records, attempt, requestId }: Attempted,
  deps: DeliveryDeps,
  pace: RetryPace,
): Promise<readonly HeldPiece[]> {
  const { detail } = verdict;
  switch (next.kind) {
    case 'done':
      return [];
    case 'give-up':
      deps.giveUp({
        records: next.records,
        condition: 'RetryAttemptsExhausted',
        detail,
        invokes: attempt,
        requestId,
        functionError: verdict.kind === 'failed' ? verdict.functionError : undefined,
      });
      deps.moveTo(spanOf(next.records).lastSequenceNumber);
      return [];
    case 'split': {
      const left = next.pieces[0]?.records.length ?? 0;
      deps.emit({ kind: 'bisected', ...spanOf(records), detail, left });
      return next.pieces;
    }
    case 'retry': {
      const delayMs = retryDelayMs(next.piece.stalls, pace, deps.chance);
      const span = spanOf(next.piece.records);
      deps.emit({ kind: 'retry', ...span, reason: verdict.kind, detail, delayMs });
      await deps.sleep(delayMs);
      return [next.piece];
    }
  }
}

/** Gives up what has left the stream while it was tried. */
function shedGone(piece: HeldPiece, delivery: Delivery): HeldPiece {
  if (piece.stalls === 0) return piece;
  const goneCount = delivery.deps.countGone(piece.records);
  return shed(piece, goneCount, 'no longer in the stream', delivery);
}

/** Gives up the records that are too old, from the front. */
function shedAged(piece: HeldPiece, delivery: Delivery): HeldPiece {
  const { rules, deps } = delivery;
  if (rules.recordAgeSecMax === undefined) return piece;
  const oldestMs = deps.clock.nowMs() - rules.recordAgeSecMax * 1000;
  const firstYoung = piece.records.findIndex(({ arrivalTimeMs }) => arrivalTimeMs >= oldestMs);
  const agedCount = firstYoung < 0 ? piece.records.length : firstYoung;
  return shed(piece, agedCount, `older than ${rules.recordAgeSecMax} s`, delivery);
}

function shed(piece: HeldPiece, count: number, detail: string, { deps }: Delivery): HeldPiece {
  if (count === 0) return piece;
  const aged = piece.records.slice(0, count);
  deps.giveUp({
    records: aged,
    condition: 'RecordAgeExceeded',
    detail,
    invokes: piece.invokes,
    requestId: undefined,
    functionError: undefined,
  });
  deps.moveTo(spanOf(aged).lastSequenceNumber);
  return { ...piece, records: piece.records.slice(count) };
}

async function attemptOnce(
  records: readonly HeldRecord[],
  { rules, deps, window }: Delivery,
): Promise<{ readonly verdict: Verdict; readonly requestId: string | undefined }> {
  const sequenceNumbers = records.map(({ sequenceNumber }) => sequenceNumber);
  const { reportsItemFailures } = rules;
  try {
    const result = await deps.invoke(eventOf(records, window?.members()));
    const needsState = window !== undefined;
    const verdict = judgeAnswer(result, sequenceNumbers, { reportsItemFailures, needsState });
    return { verdict, requestId: result.kind === 'error' ? result.requestId : undefined };
  } catch (error) {
    // The function could not be run at all: to a mapping that is the same as a throttle.
    return { verdict: { kind: 'throttled', detail: String(error) }, requestId: undefined };
  }
}
