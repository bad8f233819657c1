/** Every operation that is answered, with the shape of its request. */
import type { JsonInput } from '#local/aws-json';
import { createTable, deleteTable } from './create-table.ts';
import { describeTable, listTables } from './describe-table.ts';
import { batchGetItem } from './get-batch.ts';
import { getItem } from './get-item.ts';
import { ITEM_SHAPES } from './item-shapes.ts';
import { query, scan } from './read-page.ts';
import type { Structure } from './shape.ts';
import type { DynamoState } from './state.ts';
import {
  describeContinuousBackups,
  describeTimeToLive,
  listTagsOfResource,
  tagResource,
  untagResource,
  updateContinuousBackups,
  updateTimeToLive,
} from './table-settings.ts';
import { TABLE_SHAPES } from './table-shapes.ts';
import { transactGetItems } from './transact-get.ts';
import { transactWriteItems } from './transact-write.ts';
import { updateTable } from './update-table.ts';
import { batchWriteItem } from './write-batch.ts';
import { deleteItem, putItem, updateItem } from './write-item.ts';

type Run = (state: DynamoState, input: JsonInput) => object;

/** @source DynamoDB developer guide, quotas: throughput of an account and of a table. */
const CAPACITY_UNITS_MAX = 80_000;
const TABLE_UNITS_MAX = 40_000;

const RUNS: Readonly<Record<string, Run>> = {
  BatchGetItem: batchGetItem,
  BatchWriteItem: batchWriteItem,
  CreateTable: createTable,
  DeleteItem: deleteItem,
  DeleteTable: deleteTable,
  DescribeContinuousBackups: describeContinuousBackups,
  DescribeEndpoints: ({ region }) => ({
    Endpoints: [{ Address: `dynamodb.${region}.amazonaws.com`, CachePeriodInMinutes: 1440 }],
  }),
  DescribeLimits: () => ({
    AccountMaxReadCapacityUnits: CAPACITY_UNITS_MAX,
    AccountMaxWriteCapacityUnits: CAPACITY_UNITS_MAX,
    TableMaxReadCapacityUnits: TABLE_UNITS_MAX,
    TableMaxWriteCapacityUnits: TABLE_UNITS_MAX,
  }),
  DescribeTable: describeTable,
  DescribeTimeToLive: describeTimeToLive,
  GetItem: getItem,
  ListTables: listTables,
  ListTagsOfResource: listTagsOfResource,
  PutItem: putItem,
  Query: query,
  Scan: scan,
  TagResource: tagResource,
  TransactGetItems: transactGetItems,
  TransactWriteItems: transactWriteItems,
  UntagResource: untagResource,
  UpdateContinuousBackups: updateContinuousBackups,
  UpdateItem: updateItem,
  UpdateTable: updateTable,
  UpdateTimeToLive: updateTimeToLive,
};

const SHAPES: Readonly<Record<string, Structure>> = { ...ITEM_SHAPES, ...TABLE_SHAPES };

export const OPERATIONS: Readonly<Record<string, { shape: Structure; run: Run }>> =
  Object.fromEntries(
    Object.entries(RUNS).map(([name, run]) => {
      const shape = SHAPES[name];
      if (shape === undefined) throw new Error(`${name} has no shape`);
      return [name, { shape, run }];
    }),
  );
