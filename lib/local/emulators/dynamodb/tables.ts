/** Operations on tables; every change is done when it is answered. */
import { ServiceError } from '#local/aws-json';
import type { JsonInput } from '#local/aws-json';
import { inTransaction } from '#local/storage';
import { invalid, onlyKnown } from './refusal.ts';
import { expirySec, tableOf } from './state.ts';
import type { DynamoState } from './state.ts';
import { readTableProperties, readTimeToLive } from './table-store.ts';
import type { Table, TableSettings } from './table-store.ts';
import { keyOfItem } from './keys.ts';

/**
 * Create the table, or give the one that is there the time to live of the template.
 *
 * @throws {ServiceError} when the one that is there has other keys.
 */
export function ensureTable(state: DynamoState, settings: TableSettings): Table {
  const present = state.tables.tables.get(settings.name);
  if (present === undefined) return addTable(state, settings);
  const keys = ({ partitionKey, sortKey }: TableSettings): string =>
    JSON.stringify([partitionKey, sortKey]);
  if (keys(present) !== keys(settings)) {
    throw invalid(
      `Table ${settings.name} exists with other keys: delete what was kept of it first`,
    );
  }
  changeTimeToLive(state, present, settings.ttlAttribute);
  return present;
}

function addTable(state: DynamoState, settings: TableSettings): Table {
  const arn = `arn:aws:dynamodb:${state.region}:${state.accountId}:table/${settings.name}`;
  return state.tables.add(settings, { arn, createdMs: state.clock.nowMs() });
}

export function createTable(state: DynamoState, input: JsonInput): object {
  onlyKnown(input, [
    'TableName',
    'KeySchema',
    'AttributeDefinitions',
    'BillingMode',
    'ProvisionedThroughput',
    'Tags',
    'SSESpecification',
    'TableClass',
    'DeletionProtectionEnabled',
    'OnDemandThroughput',
    'WarmThroughput',
  ]);
  const settings = readTableProperties(input);
  if (state.tables.tables.has(settings.name)) {
    throw new ServiceError('ResourceInUseException', `Table already exists: ${settings.name}`);
  }
  return { TableDescription: describe(state, addTable(state, settings)) };
}

export function deleteTable(state: DynamoState, input: JsonInput): object {
  onlyKnown(input, ['TableName']);
  const table = tableOf(state, input);
  const TableDescription = { ...describe(state, table), TableStatus: 'DELETING' };
  inTransaction(state.storage, () => {
    state.items.removeAll(table);
    state.tables.remove(table);
  });
  return { TableDescription };
}

export function describeTable(state: DynamoState, input: JsonInput): object {
  onlyKnown(input, ['TableName']);
  return { Table: describe(state, tableOf(state, input)) };
}

function describe(state: DynamoState, table: Table): object {
  const { partitionKey, sortKey } = table;
  const keys = sortKey === undefined ? [partitionKey] : [partitionKey, sortKey];
  const { items, bytes } = state.items.sizeOf(table);
  return {
    TableName: table.name,
    TableArn: table.arn,
    TableId: table.id,
    TableStatus: 'ACTIVE',
    CreationDateTime: table.createdMs / 1_000,
    KeySchema: keys.map(({ name }, index) => ({
      AttributeName: name,
      KeyType: index === 0 ? 'HASH' : 'RANGE',
    })),
    AttributeDefinitions: keys.map(({ name, type }) => ({
      AttributeName: name,
      AttributeType: type,
    })),
    BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' },
    ProvisionedThroughput: {
      ReadCapacityUnits: 0,
      WriteCapacityUnits: 0,
      NumberOfDecreasesToday: 0,
    },
    ItemCount: items,
    TableSizeBytes: bytes,
  };
}

export function listTables(state: DynamoState, input: JsonInput): object {
  onlyKnown(input, ['Limit', 'ExclusiveStartTableName']);
  const { Limit: limit = 100, ExclusiveStartTableName: start = '' } = input;
  if (typeof limit !== 'number' || limit < 1 || limit > 100) {
    throw invalid(
      `1 validation error detected: Value '${String(limit)}' at 'limit' failed to satisfy constraint: Member must have value between 1 and 100`,
    );
  }
  const rest = [...state.tables.tables.keys()].sort().filter((name) => name > String(start));
  const TableNames = rest.slice(0, limit);
  return {
    TableNames,
    ...(rest.length > TableNames.length ? { LastEvaluatedTableName: TableNames.at(-1) } : {}),
  };
}

export function updateTimeToLive(state: DynamoState, input: JsonInput): object {
  onlyKnown(input, ['TableName', 'TimeToLiveSpecification']);
  const table = tableOf(state, input);
  const attribute = readTimeToLive(input['TimeToLiveSpecification']);
  if ((attribute === undefined) === (table.ttlAttribute === undefined)) {
    throw invalid(`TimeToLive is already ${attribute === undefined ? 'disabled' : 'enabled'}`);
  }
  changeTimeToLive(state, table, attribute);
  return { TimeToLiveSpecification: input['TimeToLiveSpecification'] };
}

function changeTimeToLive(state: DynamoState, table: Table, attribute: string | undefined): void {
  if (attribute === table.ttlAttribute) return;
  inTransaction(state.storage, () => {
    state.tables.saveTimeToLive(table, attribute);
    // Read whole before any of it is written.
    const items = Array.from(state.items.scan(table, undefined));
    for (const stored of items) {
      const expiresSec = expirySec(table, stored.item);
      state.items.put(table, keyOfItem(table, stored.item), { ...stored, expiresSec });
    }
  });
}

export function describeTimeToLive(state: DynamoState, input: JsonInput): object {
  onlyKnown(input, ['TableName']);
  const { ttlAttribute } = tableOf(state, input);
  return {
    TimeToLiveDescription:
      ttlAttribute === undefined
        ? { TimeToLiveStatus: 'DISABLED' }
        : { TimeToLiveStatus: 'ENABLED', AttributeName: ttlAttribute },
  };
}
