/** UpdateTable: how a table is paid and protected, and its global indexes. */
import { ServiceError } from '#local/aws-json';
import type { JsonInput } from '#local/aws-json';
import { describeOf } from './describe-table.ts';
import { readDefinitions, readIndex, readThroughput } from './key-schema.ts';
import { keyAttributesOf } from './keys.ts';
import { invalid, invalidValue } from './refusal.ts';
import { fillIndex } from './secondary-index.ts';
import { tableOf } from './state.ts';
import type { DynamoState } from './state.ts';
import { checkIndexes } from './table-properties.ts';
import type { IndexSettings, Table, TableSettings } from './table-store.ts';

const CHANGES = [
  'ProvisionedThroughput',
  'BillingMode',
  'GlobalSecondaryIndexUpdates',
  'SSESpecification',
  'TableClass',
  'DeletionProtectionEnabled',
  'OnDemandThroughput',
  'WarmThroughput',
];

export function updateTable(state: DynamoState, input: JsonInput): object {
  const updates = (input['GlobalSecondaryIndexUpdates'] ?? []) as readonly JsonInput[];
  const isGiven = (name: string): boolean => input[name] !== undefined && input[name] !== null;
  if (!CHANGES.some(isGiven)) {
    throw invalid(
      'At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates or ' +
        'SSESpecification or ReplicaUpdates is required',
    );
  }
  const table = tableOf(state, input['TableName'], true);
  const { DeletionProtectionEnabled: protection, TableClass: tableClass } = input;
  const change: Partial<TableSettings> = {
    ...readBilling(table, input),
    ...(typeof protection === 'boolean' ? { deletionProtection: protection } : {}),
    ...(typeof tableClass === 'string' ? { tableClass } : {}),
    ...(updates.length === 0 ? {} : { indexes: changeIndexes(table, input, updates) }),
  };
  const changed = state.items.atomically(() => apply(state, table, change));
  return { TableDescription: describeOf(state, changed, 'UPDATING') };
}

function readBilling(table: Table, input: JsonInput): Partial<TableSettings> {
  const { BillingMode: mode, ProvisionedThroughput: given } = input;
  const throughput = readThroughput(given);
  const isPaidByRequest =
    (mode ?? (table.throughput === undefined ? 'PAY_PER_REQUEST' : '')) === 'PAY_PER_REQUEST';
  if (isPaidByRequest) {
    if (throughput === undefined) return mode === undefined ? {} : { throughput: undefined };
    throw invalidValue(
      'Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST',
    );
  }
  if (throughput === undefined) {
    if (mode !== 'PROVISIONED' || table.throughput !== undefined) return {};
    throw invalidValue('ProvisionedThroughput must be specified when BillingMode is PROVISIONED');
  }
  const [reads, writes] = [throughput.ReadCapacityUnits, throughput.WriteCapacityUnits];
  const now = table.throughput;
  if (now?.ReadCapacityUnits === reads && now.WriteCapacityUnits === writes) {
    throw invalid(
      'The provisioned throughput for the table will not change. The requested value equals the current value. ' +
        `Current ReadCapacityUnits provisioned for the table: ${reads}. Requested ReadCapacityUnits: ${reads}. ` +
        `Current WriteCapacityUnits provisioned for the table: ${writes}. Requested WriteCapacityUnits: ${writes}. ` +
        'Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.',
    );
  }
  return { throughput };
}

function changeIndexes(
  table: Table,
  input: JsonInput,
  updates: readonly JsonInput[],
): readonly IndexSettings[] {
  const made = updates.filter(({ Create, Delete }) => Create !== undefined || Delete !== undefined);
  if (made.length > 1) {
    throw new ServiceError(
      'LimitExceededException',
      'Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table',
    );
  }
  const given = readDefinitions(input['AttributeDefinitions']);
  const present = new Map(
    [table, ...table.indexes].flatMap(keyAttributesOf).map(({ name, type }) => [name, type]),
  );
  const definitions = {
    names: [...new Set([...present.keys(), ...given.names])],
    typeOf: (name: string) => given.typeOf(name) ?? present.get(name),
  };
  let indexes: readonly IndexSettings[] = table.indexes;
  for (const { Create, Update, Delete } of updates as readonly Record<string, JsonInput>[]) {
    const name = String((Create ?? Update ?? Delete)?.['IndexName']);
    const old = table.indexes.find((index) => index.name === name && index.scope === 'global');
    if (Create !== undefined) {
      indexes = [...indexes, readIndex(Create, 'global', definitions, table)];
    } else if (Update === undefined && Delete === undefined) {
      throw invalidValue(
        'One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, ' +
          'GlobalSecondaryIndexUpdate.Delete must not be null',
      );
    } else if (old === undefined) {
      throw new ServiceError('ResourceNotFoundException', 'Requested resource not found');
    } else {
      const throughput = readThroughput(Update?.['ProvisionedThroughput']);
      const rest = indexes.filter((index) => index.name !== name);
      indexes = Update === undefined ? rest : [...rest, { ...old, throughput }];
    }
  }
  checkIndexes(indexes);
  return indexes;
}

function apply(state: DynamoState, table: Table, change: Partial<TableSettings>): Table {
  const changed = state.tables.change(table, change);
  const before = new Set(table.indexes.map(({ place }) => place));
  const after = new Set(changed.indexes.map(({ place }) => place));
  for (const index of table.indexes) if (!after.has(index.place)) state.items.removeAll(index);
  for (const index of changed.indexes) {
    if (!before.has(index.place)) fillIndex(state.items, changed, index);
  }
  return changed;
}
