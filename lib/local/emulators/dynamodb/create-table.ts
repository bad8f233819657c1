/** CreateTable and DeleteTable; every change is done when it is answered. */
import { ServiceError } from '#local/aws-json';
import type { JsonInput } from '#local/aws-json';
import { describeOf } from './describe-table.ts';
import { keyOfItem } from './keys.ts';
import { invalid, invalidValue } from './refusal.ts';
import { expirySec, tableOf } from './state.ts';
import type { DynamoState } from './state.ts';
import { readTableProperties } from './table-properties.ts';
import type { Table, TableSettings } from './table-store.ts';

export function addTable(state: DynamoState, settings: TableSettings): Table {
  const arn = `arn:aws:dynamodb:${state.region}:${state.accountId}:table/${settings.name}`;
  return state.tables.add(settings, { arn, createdMs: state.clock.nowMs() });
}

export function createTable(state: DynamoState, input: JsonInput): object {
  checkBilling(input);
  const settings = readTableProperties(input);
  if (input['BillingMode'] === 'PAY_PER_REQUEST') {
    const paid = settings.indexes.find(({ throughput }) => throughput !== undefined);
    if (paid !== undefined) {
      throw invalidValue(
        `ProvisionedThroughput should not be specified for index: ${paid.name} when BillingMode is PAY_PER_REQUEST`,
      );
    }
  }
  if (state.tables.tables.has(settings.name)) {
    throw new ServiceError('ResourceInUseException', `Table already exists: ${settings.name}`);
  }
  const table = addTable(state, settings);
  return { TableDescription: describeOf(state, table, 'CREATING') };
}

/** @source DynamoDB API 2012-08-10, CreateTable: PROVISIONED unless it says otherwise. */
function checkBilling({ BillingMode, ProvisionedThroughput }: JsonInput): void {
  const isProvisioned = BillingMode !== 'PAY_PER_REQUEST';
  const isGiven = ProvisionedThroughput !== undefined && ProvisionedThroughput !== null;
  if (isProvisioned === isGiven) return;
  throw invalidValue(
    isProvisioned
      ? 'ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED'
      : 'Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST',
  );
}

export function deleteTable(state: DynamoState, input: JsonInput): object {
  const table = tableOf(state, input['TableName'], true);
  if (table.deletionProtection) {
    throw invalid(
      'Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.',
    );
  }
  const TableDescription = describeOf(state, table, 'DELETING');
  state.items.atomically(() => {
    for (const place of [table, ...table.indexes]) state.items.removeAll(place);
    state.tables.remove(table);
  });
  return { TableDescription };
}

/** Items that are there get their end by the other attribute. */
export function changeTimeToLive(
  state: DynamoState,
  table: Table,
  ttlAttribute: string | undefined,
): Table {
  if (ttlAttribute === table.ttlAttribute) return table;
  return state.items.atomically(() => {
    const changed = state.tables.change(table, { ttlAttribute });
    // Read whole before any of it is written.
    const items = Array.from(state.items.scan(changed, { after: undefined, segment: undefined }));
    for (const stored of items) {
      const { item } = stored;
      state.items.put(changed, keyOfItem(changed, item), stored, expirySec(changed, item));
    }
    return changed;
  });
}
