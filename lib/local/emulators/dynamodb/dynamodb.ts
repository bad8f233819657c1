/** DynamoDB on one machine: the wire protocol, the expressions, the limits, the errors. */
import { answerJson } from '#local/aws-json';
import type { JsonInput, JsonProtocol } from '#local/aws-json';
import type { Clock, FaultPlan, Storage, WireHandler } from '#local/contracts';
import { batchGetItem, batchWriteItem } from './batches.ts';
import { openItemStore } from './item-store.ts';
import { getItem, query, scan } from './read-items.ts';
import type { DynamoState } from './state.ts';
import { openTableStore, readTableProperties } from './table-store.ts';
import {
  createTable,
  deleteTable,
  describeTable,
  describeTimeToLive,
  ensureTable,
  listTables,
  updateTimeToLive,
} from './tables.ts';
import { transactWriteItems } from './transact-write.ts';
import { deleteItem, putItem, updateItem } from './write-item.ts';

export interface DynamoDependencies {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly region: string;
  readonly accountId: string;
  readonly faults?: FaultPlan;
}

export interface DynamoDb extends WireHandler {
  /** The prefix of `x-amz-target` that this emulator answers. */
  readonly target: string;
  /**
   * Create the table of an AWS::DynamoDB::Table or GlobalTable, all references resolved and the name
   * given; one that is there keeps its items.
   *
   * @throws {ServiceError} when the properties are not possible, or change the keys of a table.
   */
  createTable(properties: JsonInput): { readonly name: string; readonly arn: string };
}

type Operation = (state: DynamoState, input: JsonInput) => object;

const ERRORS_OF_THE_MODEL = 'com.amazonaws.dynamodb.v20120810#';
const ERRORS_OF_THE_FRONT = 'com.amazon.coral.validate#';

/** Serve the tables of `storage`. */
export function createDynamoDb(dependencies: DynamoDependencies): DynamoDb {
  const { storage, clock, region, accountId, faults = {} } = dependencies;
  const state: DynamoState = {
    storage,
    clock,
    region,
    accountId,
    faults,
    tables: openTableStore(storage),
    items: openItemStore(storage),
    sweptSec: new Map(),
  };
  const operations: Readonly<Record<string, Operation>> = {
    BatchGetItem: batchGetItem,
    BatchWriteItem: batchWriteItem,
    CreateTable: createTable,
    DeleteItem: deleteItem,
    DeleteTable: deleteTable,
    DescribeTable: describeTable,
    DescribeTimeToLive: describeTimeToLive,
    GetItem: getItem,
    ListTables: listTables,
    PutItem: putItem,
    Query: query,
    Scan: scan,
    TransactWriteItems: transactWriteItems(new Map()),
    UpdateItem: updateItem,
    UpdateTimeToLive: updateTimeToLive,
  };
  const protocol: JsonProtocol = {
    version: '1.0',
    operations: Object.fromEntries(
      Object.entries(operations).map(([name, run]) => [
        name,
        (input: JsonInput) => run(state, input),
      ]),
    ),
    errorNamespace: (code) =>
      code === 'ValidationException' ? ERRORS_OF_THE_FRONT : ERRORS_OF_THE_MODEL,
    checksum: 'crc32',
  };
  return {
    target: 'DynamoDB_20120810',
    async handle(request) {
      return answerJson(protocol, request);
    },
    createTable(properties) {
      const { name, arn } = ensureTable(state, readTableProperties(properties));
      return { name, arn };
    },
  };
}
