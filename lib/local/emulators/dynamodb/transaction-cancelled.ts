/** Why a transaction did nothing: a reason for each of its actions, in their order. */
import { ServiceError } from '#local/aws-json';
import type { AttributeMap } from './attribute-value.ts';
import { throttledWords } from './state.ts';
import type { Table } from './table-store.ts';

export interface Reason {
  readonly Code: string;
  readonly Message?: string;
  readonly Item?: AttributeMap;
}

/** Of an action that the transaction did not fail for. */
export const OK: Reason = { Code: 'None' };

export function cancelled(reasons: readonly Reason[]): ServiceError {
  const codes = reasons.map(({ Code }) => Code).join(', ');
  return new ServiceError(
    'TransactionCanceledException',
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    { members: { CancellationReasons: reasons } },
  );
}

export function throttledReason(table: Table): Reason {
  const Code = table.throughput === undefined ? 'ThrottlingError' : 'ProvisionedThroughputExceeded';
  return { Code, Message: throttledWords(table) };
}
