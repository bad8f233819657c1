/** Brings one batch to its end: finished, or given up, piece by piece and in order. */
import type { Chance, Clock, InvokeResult } from '#local/contracts';
import { decideNext } from './decide-next.ts';
import type { Piece, RetryRules } from './decide-next.ts';
import type { GiveUp } from './failure-document.ts';
import { judgeAnswer } from './judge-answer.ts';
import type { Verdict } from './judge-answer.ts';
import { eventOf } from './kinesis-event.ts';
import type { HeldRecord } from './kinesis-event.ts';
import type { ShardEvent } from './mapping-event.ts';
import { retryDelayMs } from './retry-delay.ts';
import type { RetryPace } from './retry-delay.ts';

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
  emit(event: ShardEvent): void;
}

type HeldPiece = Piece<HeldRecord>;

/**
 * Try a batch until nothing of it is left, or the mapping stops.
 *
 * Pieces are worked on one after another in the order of the shard, so a place that was moved to
 * has nothing unfinished before it.
 */
export async function deliverBatch(
  records: readonly HeldRecord[],
  rules: DeliveryRules,
  deps: DeliveryDeps,
): Promise<void> {
  let pieces: readonly HeldPiece[] = [{ records, failures: 0, stalls: 0, invokes: 0 }];
  while (!deps.isStopped()) {
    const [oldest, ...later] = pieces;
    if (oldest === undefined) return;
    const piece = shedAged(oldest, rules, deps);
    pieces =
      piece.records.length === 0 ? later : [...(await tryPiece(piece, rules, deps)), ...later];
  }
}

/** One attempt; what is left of the piece, in order. */
async function tryPiece(
  piece: HeldPiece,
  rules: DeliveryRules,
  deps: DeliveryDeps,
): Promise<readonly HeldPiece[]> {
  const { records } = piece;
  const attempt = piece.invokes + 1;
  const last = records.at(-1);
  const iteratorAgeMs = Math.max(0, deps.clock.nowMs() - (last?.arrivalTimeMs ?? 0));
  deps.emit({ kind: 'batch', ...spanOf(records), attempt, iteratorAgeMs });
  const { verdict, requestId } = await attemptOnce(records, rules, deps);
  // An end that we brought about says nothing of the records: they are read again next time.
  if (deps.isStopped() && verdict.kind === 'failed') return [piece];
  const next = decideNext(piece, verdict, rules);

  const finished = finishedBy(verdict, records);
  if (finished.length > 0) {
    deps.moveTo(spanOf(finished).lastSequenceNumber);
    deps.emit({ kind: 'finished', ...spanOf(finished) });
  }
  if (verdict.kind === 'finished' || next.kind === 'done') return [];
  const { detail } = verdict;
  switch (next.kind) {
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
    case 'split':
      deps.emit({
        kind: 'bisected',
        ...spanOf(records),
        detail,
        left: next.pieces[0]?.records.length ?? 0,
      });
      return next.pieces;
    case 'retry': {
      const delayMs = retryDelayMs(next.piece.stalls, rules.pace, deps.chance);
      deps.emit({
        kind: 'retry',
        ...spanOf(next.piece.records),
        reason: verdict.kind,
        detail,
        delayMs,
      });
      await deps.sleep(delayMs);
      return [next.piece];
    }
  }
}

/** Gives up the records that are too old, from the front. */
function shedAged(piece: HeldPiece, rules: DeliveryRules, deps: DeliveryDeps): HeldPiece {
  if (rules.recordAgeSecMax === undefined) return piece;
  const oldestMs = deps.clock.nowMs() - rules.recordAgeSecMax * 1000;
  const firstYoung = piece.records.findIndex(({ arrivalTimeMs }) => arrivalTimeMs >= oldestMs);
  const agedCount = firstYoung < 0 ? piece.records.length : firstYoung;
  if (agedCount === 0) return piece;
  const aged = piece.records.slice(0, agedCount);
  deps.giveUp({
    records: aged,
    condition: 'RecordAgeExceeded',
    detail: `older than ${rules.recordAgeSecMax} s`,
    invokes: piece.invokes,
    requestId: undefined,
    functionError: undefined,
  });
  deps.moveTo(spanOf(aged).lastSequenceNumber);
  return { ...piece, records: piece.records.slice(agedCount) };
}

function finishedBy(verdict: Verdict, records: readonly HeldRecord[]): readonly HeldRecord[] {
  if (verdict.kind === 'finished') return records;
  return verdict.kind === 'partial' ? records.slice(0, verdict.finished) : [];
}

async function attemptOnce(
  records: readonly HeldRecord[],
  rules: DeliveryRules,
  deps: DeliveryDeps,
): Promise<{ readonly verdict: Verdict; readonly requestId?: string | undefined }> {
  const sequenceNumbers = records.map(({ sequenceNumber }) => sequenceNumber);
  try {
    const result = await deps.invoke(eventOf(records));
    const verdict = judgeAnswer(result, sequenceNumbers, rules);
    return { verdict, requestId: result.kind === 'error' ? result.requestId : undefined };
  } catch (error) {
    // The function could not be run at all: to a mapping that is the same as a throttle.
    return { verdict: { kind: 'throttled', detail: String(error) } };
  }
}

/** What an event says of the records it is about. */
export function spanOf(records: readonly HeldRecord[]) {
  return {
    records: records.length,
    firstSequenceNumber: records[0]?.sequenceNumber ?? '',
    lastSequenceNumber: records.at(-1)?.sequenceNumber ?? '',
  };
}
