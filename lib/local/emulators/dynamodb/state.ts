/** What every operation of the emulator works on. */
import { HangUp, ServiceError } from '#local/aws-json';
import type { JsonInput } from '#local/aws-json';
import type { Clock, FaultPlan, Storage } from '#local/contracts';
import { memberOf } from './attribute-value.ts';
import type { AttributeMap } from './attribute-value.ts';
import type { ItemStore } from './item-store.ts';
import { invalid } from './refusal.ts';
import type { Table, TableStore } from './table-store.ts';

export interface DynamoState {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly faults: FaultPlan;
  readonly tables: TableStore;
  readonly items: ItemStore;
  readonly accountId: string;
  readonly region: string;
  /** By table row: the second up to which expired items were deleted. */
  readonly sweptSec: Map<number, number>;
}

/** Items that ended longer ago are left alone. @source DynamoDB developer guide, time to live. */
const TTL_AGE_SEC_MAX = 5 * 365 * 24 * 3_600;

/** The table that a request names, by name or by ARN, less the items whose time is over. */
export function tableOf(state: DynamoState, input: JsonInput): Table {
  const given = input['TableName'];
  if (typeof given !== 'string') {
    throw invalid(
      "1 validation error detected: Value null at 'tableName' failed to satisfy constraint: Member must not be null",
    );
  }
  const table = state.tables.tables.get(given.split(':table/')[1] ?? given);
  if (table === undefined || (given.includes(':table/') && given !== table.arn)) {
    throw new ServiceError('ResourceNotFoundException', 'Requested resource not found');
  }
  deleteExpired(state, table);
  return table;
}

function deleteExpired(state: DynamoState, table: Table): void {
  if (table.ttlAttribute === undefined) return;
  const untilSec = Math.floor(state.clock.nowMs() / 1_000);
  if (state.sweptSec.get(table.row) === untilSec) return;
  state.items.expire(table, { fromSec: untilSec - TTL_AGE_SEC_MAX, untilSec });
  state.sweptSec.set(table.row, untilSec);
}

/** The second at which the item ends, if it says so in a number. */
export function expirySec(table: Table, item: AttributeMap): number | undefined {
  if (table.ttlAttribute === undefined) return undefined;
  const value = memberOf(item, table.ttlAttribute);
  if (value === undefined || !('N' in value)) return undefined;
  const sec = Math.floor(Number(value.N));
  return Number.isSafeInteger(sec) ? sec : undefined;
}

/** Do the work of one request on a table, unless the plan says that it fails. */
export function withFaults<T>(
  state: DynamoState,
  table: Table,
  operation: string,
  work: () => T,
): T {
  const fault = state.faults.onTable?.(table.name, operation);
  if (fault === 'throttle') throw throttled();
  const result = work();
  if (fault === 'timeout-after-write') throw new HangUp();
  return result;
}

export function throttled(): ServiceError {
  return new ServiceError(
    'ProvisionedThroughputExceededException',
    'The level of configured provisioned throughput for the table was exceeded. Consider increasing your ' +
      'provisioning level with the UpdateTable API.',
  );
}
