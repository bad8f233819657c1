/** Decides what a function's answer says of its batch. */
import type { InvokeResult } from '#local/contracts';

export type Verdict =
  | { readonly kind: 'finished' }
  /** The records before index `finished` (at least one) are done; the rest are to be retried. */
  | { readonly kind: 'partial'; readonly finished: number; readonly detail: string }
  | { readonly kind: 'failed'; readonly detail: string; readonly functionError: string | undefined }
  | { readonly kind: 'throttled'; readonly detail: string };

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
  options: { readonly reportsItemFailures: boolean },
): Verdict {
  if (result.kind === 'throttled')
    return { kind: 'throttled', detail: 'the function is throttled' };
  if (result.kind === 'error') return failed(result.errorType, 'Unhandled');
  if (!options.reportsItemFailures) return { kind: 'finished' };
  const failures = itemFailures(result.payload);
  if (failures === undefined) return failed('the answer has no list of batchItemFailures');

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
