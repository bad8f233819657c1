/** What every operation of the emulator works on. */
import { HangUp, ServiceError } from '#local/aws-json';
import type { Clock, FaultPlan } from '#local/contracts';
import { memberOf } from './attribute-value.ts';
import type { AttributeMap } from './attribute-value.ts';
import type { ItemStore } from './item-store.ts';
import { invalid } from './refusal.ts';
import type { Table, TableStore } from './table-store.ts';
import type { TransactionTokens } from './transaction-tokens.ts';

export interface DynamoState {
  readonly clock: Clock;
  readonly faults: FaultPlan;
  readonly tables: TableStore;
  readonly items: ItemStore;
  readonly tokens: TransactionTokens;
  readonly accountId: string;
  readonly region: string;
  /** By table row: the second up to which expired items were deleted. */
  readonly sweptSec: Map<number, number>;
  /** Deletes the items of a table whose time is over, when it is time to do so. */
  readonly sweep: (table: Table) => void;
}

/** `described`: in operations on a table itself, which name it in their refusal. */
export function tableOf(state: DynamoState, given: unknown, described = false): Table {
  const name = tableName(String(given));
  const table = state.tables.tables.get(name);
  if (table === undefined || (name !== given && given !== table.arn)) {
    throw new ServiceError(
      'ResourceNotFoundException',
      `Requested resource not found${described ? `: Table: ${name} not found` : ''}`,
    );
  }
  state.sweep(table);
  return table;
}

const ARN = /^arn:aws[^:]*:dynamodb:[^:]*:\d*:table\/([^/]+)$/;

/** The name in a name or an ARN. */
export function tableName(given: string): string {
  const name = ARN.exec(given)?.[1] ?? given;
  if (/^[a-zA-Z0-9_.-]{3,255}$/.test(name)) return name;
  throw invalid(
    'Invalid table/index name.  Table/index names must be between 3 and 255 characters long, and may contain ' +
      "only the characters a-z, A-Z, 0-9, '_', '-', and '.'",
  );
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
  if (fault === 'throttle') throw throttled(table);
  const result = work();
  if (fault === 'timeout-after-write') throw new HangUp();
  return result;
}

export function throttled(table: Table | undefined): ServiceError {
  return new ServiceError('ProvisionedThroughputExceededException', throttledWords(table));
}

/** @source DynamoDB API 2012-08-10, TransactionCanceledException: the words for each way to pay. */
export function throttledWords(table: Table | undefined): string {
  return table !== undefined && table.throughput === undefined
    ? 'Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling your ' +
        'table or index so please try again shortly. If exceptions persist, check if you have a hot key: ' +
        'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html'
    : 'The level of configured provisioned throughput for the table was exceeded. Consider increasing your ' +
        'provisioning level with the UpdateTable API.';
}
