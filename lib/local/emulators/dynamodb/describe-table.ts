/** DescribeTable and ListTables. */
import type { JsonInput } from '#local/aws-json';
import { keyAttributesOf } from './keys.ts';
import { tableOf } from './state.ts';
import type { DynamoState } from './state.ts';
import type { Place, SecondaryIndex, Table, Throughput } from './table-store.ts';

export function describeTable(state: DynamoState, input: JsonInput): object {
  return { Table: describeOf(state, tableOf(state, input['TableName'], true)) };
}

export function describeOf(state: DynamoState, table: Table, TableStatus = 'ACTIVE'): object {
  const { items, bytes } = state.items.sizeOf(table);
  const places: readonly Place[] = [table, ...table.indexes];
  const definitions = new Map(
    places.flatMap(keyAttributesOf).map(({ name, type }) => [name, type] as const),
  );
  const mode = table.throughput === undefined ? 'PAY_PER_REQUEST' : 'PROVISIONED';
  return {
    AttributeDefinitions: [...definitions].map(([AttributeName, AttributeType]) => ({
      AttributeName,
      AttributeType,
    })),
    TableName: table.name,
    KeySchema: keySchema(table),
    TableStatus,
    CreationDateTime: table.createdMs / 1_000,
    ProvisionedThroughput: throughput(table.throughput),
    TableSizeBytes: bytes,
    ItemCount: items,
    TableArn: table.arn,
    TableId: table.id,
    ...(mode === 'PROVISIONED'
      ? {}
      : {
          BillingModeSummary: {
            BillingMode: mode,
            LastUpdateToPayPerRequestDateTime: table.createdMs / 1_000,
          },
        }),
    ...indexesOf(state, table, 'local'),
    ...indexesOf(state, table, 'global'),
    ...(table.tableClass === undefined
      ? {}
      : { TableClassSummary: { TableClass: table.tableClass } }),
    DeletionProtectionEnabled: table.deletionProtection,
  };
}

function indexesOf(state: DynamoState, table: Table, scope: SecondaryIndex['scope']): object {
  const indexes = table.indexes.filter((index) => index.scope === scope);
  if (indexes.length === 0) return {};
  const list = indexes.map((index) => {
    const { items, bytes } = state.items.sizeOf(index);
    const { projection } = index;
    return {
      IndexName: index.name,
      KeySchema: keySchema(index),
      Projection: {
        ProjectionType: projection.kind,
        ...(projection.kind === 'INCLUDE' ? { NonKeyAttributes: projection.names } : {}),
      },
      ...(scope === 'global'
        ? { IndexStatus: 'ACTIVE', ProvisionedThroughput: throughput(index.throughput) }
        : {}),
      IndexSizeBytes: bytes,
      ItemCount: items,
      IndexArn: `${table.arn}/index/${index.name}`,
    };
  });
  return { [scope === 'local' ? 'LocalSecondaryIndexes' : 'GlobalSecondaryIndexes']: list };
}

function keySchema(place: Place): readonly object[] {
  return keyAttributesOf(place).map(({ name }, at) => ({
    AttributeName: name,
    KeyType: at === 0 ? 'HASH' : 'RANGE',
  }));
}

function throughput(given: Throughput | undefined): object {
  const { ReadCapacityUnits = 0, WriteCapacityUnits = 0 } = given ?? {};
  return { NumberOfDecreasesToday: 0, ReadCapacityUnits, WriteCapacityUnits };
}

export function listTables(state: DynamoState, input: JsonInput): object {
  const limit = Number(input['Limit'] ?? 100);
  const start = String(input['ExclusiveStartTableName'] ?? '');
  const rest = [...state.tables.tables.keys()].sort().filter((name) => name > start);
  const TableNames = rest.slice(0, limit);
  return {
    TableNames,
    ...(rest.length > TableNames.length ? { LastEvaluatedTableName: TableNames.at(-1) } : {}),
  };
}
