/** Decides what a function's answer says of its batch. */
import type { InvokeResult } from '#local/contracts';

export type Verdict =
  | (WithState & { readonly kind: 'finished' })
  /** The records before index `finished` (at least one) are done; the rest are to be retried. */
  | (WithState & { readonly kind: 'partial'; readonly finished: number; readonly detail: string })
  | { readonly kind: 'failed'; readonly detail: string; readonly functionError: string | undefined }
  | { readonly kind: 'throttled'; readonly detail: string };

interface WithState {
  /** Of a tumbling window after the records that are done, as JSON. */
  readonly state?: string;
}

export interface AnswerRules {
  readonly reportsItemFailures: boolean;
  /** A tumbling window's function answers with its state, or has failed. */
  readonly needsState?: boolean;
}

/**
 * Judge an answer as Lambda does: the lowest sequence number named is where to resume.
 *
 * An identifier that is empty, null, absent or not of this batch fails the whole batch.
 *
 * @source Lambda developer guide, "Configuring partial batch response with Kinesis", 2026-10.
 */
export function judgeAnswer(
  result: InvokeResult,
  sequenceNumbers: readonly string[],
  rules: AnswerRules,
): Verdict {
  if (result.kind === 'throttled')
    return { kind: 'throttled', detail: 'the function is throttled' };
  if (result.kind === 'error') return failed(result.errorType, 'Unhandled');
  if (rules.needsState !== true) return judgeItems(result.payload, sequenceNumbers, rules);
  const state = stateIn(result.payload);
  if (state === undefined) return failed('the answer has no state');
  const verdict = judgeItems(result.payload, sequenceNumbers, rules);
  return verdict.kind === 'finished' || verdict.kind === 'partial'
    ? { ...verdict, state }
    : verdict;
}

function judgeItems(
  payload: string,
  sequenceNumbers: readonly string[],
  { reportsItemFailures }: AnswerRules,
): Verdict {
  if (!reportsItemFailures) return { kind: 'finished' };
  const failures = itemFailures(payload);
  if (failures === undefined) return failed('the answer has no list of batchItemFailures');
  if (failures.length === 0) return { kind: 'finished' };

  let lowest = sequenceNumbers.length;
  for (const failure of failures) {
    const identifier = identifierOf(failure);
    const index = sequenceNumbers.indexOf(identifier ?? '');
    if (index < 0)
      return failed(`itemIdentifier ${JSON.stringify(identifier)} is not of the batch`);
    lowest = Math.min(lowest, index);
  }
  if (lowest === sequenceNumbers.length) return { kind: 'finished' };
  const detail = `the function named ${sequenceNumbers[lowest]}`;
  // Nothing was finished: no partial success, so the batch failed.
  return lowest === 0 ? failed(detail) : { kind: 'partial', finished: lowest, detail };
}

function stateIn(payload: string): string | undefined {
  try {
    const answer: unknown = JSON.parse(payload);
    if (typeof answer !== 'object' || answer === null || !('state' in answer)) return undefined;
    const { state } = answer;
    return typeof state === 'object' && state !== null ? JSON.stringify(state) : undefined;
  } catch {
    return undefined;
  }
}

function failed(detail: string, functionError?: string): Verdict {
  return { kind: 'failed', detail, functionError };
}

/** The list in an answer; empty when there is nothing to report; undefined when it is no list. */
function itemFailures(payload: string): readonly unknown[] | undefined {
  let answer: unknown;
  try {
    answer = payload === '' ? null : JSON.parse(payload);
  } catch {
    return undefined;
  }
  if (answer === null || answer === '') return [];
  if (typeof answer !== 'object') return undefined;
  const list = 'batchItemFailures' in answer ? answer.batchItemFailures : null;
  if (list === null) return [];
  return Array.isArray(list) ? list : undefined;
}

function identifierOf(failure: unknown): string | undefined {
  if (typeof failure !== 'object' || failure === null) return undefined;
  const { itemIdentifier } = failure as { itemIdentifier?: unknown };
  return typeof itemIdentifier === 'string' ? itemIdentifier : undefined;
}
