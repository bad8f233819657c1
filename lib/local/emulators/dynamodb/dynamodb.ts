/** DynamoDB on one machine: the wire protocol, the expressions, the limits, the errors. */
import { answerJson } from '#local/aws-json';
import type { JsonInput, JsonOperation, JsonProtocol } from '#local/aws-json';
import type { Clock, FaultPlan, NewId, Storage, WireHandler } from '#local/contracts';
import { RANDOM_ID } from '#local/new-id';
import { openItemStore } from './item-store.ts';
import { OPERATIONS } from './operations.ts';
import { checkShape } from './shape.ts';
import type { DynamoState } from './state.ts';
import { openTableStore } from './table-store.ts';
import { ensureTable } from './template-table.ts';
import { createSweep } from './time-to-live.ts';
import { openTransactionTokens } from './transaction-tokens.ts';

export interface DynamoDependencies {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly region: string;
  readonly accountId: string;
  readonly faults?: FaultPlan;
  /** Of tables and requests. Default: random. */
  readonly newId?: NewId | undefined;
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

const ERRORS_OF_THE_MODEL = 'com.amazonaws.dynamodb.v20120810#';
const ERRORS_OF_THE_FRONT: Readonly<Record<string, string>> = {
  ValidationException: 'com.amazon.coral.validate#',
  SerializationException: 'com.amazon.coral.service#',
  UnknownOperationException: 'com.amazon.coral.service#',
};

/** Serve the tables of `storage`. */
export function createDynamoDb(dependencies: DynamoDependencies): DynamoDb {
  const { storage, clock, region, accountId, faults = {}, newId = RANDOM_ID } = dependencies;
  const items = openItemStore(storage);
  const sweptSec = new Map<number, number>();
  const state: DynamoState = {
    clock,
    region,
    accountId,
    faults,
    tables: openTableStore(storage, newId),
    items,
    tokens: openTransactionTokens(storage, clock),
    sweptSec,
    sweep: createSweep(items, clock, sweptSec),
  };
  const operations: Record<string, JsonOperation> = {};
  for (const [name, { shape, run }] of Object.entries(OPERATIONS)) {
    operations[name] = (input) => {
      checkShape(shape, input);
      return run(state, input);
    };
  }
  const protocol: JsonProtocol = {
    version: '1.0',
    operations,
    errorNamespace: (code) => ERRORS_OF_THE_FRONT[code] ?? ERRORS_OF_THE_MODEL,
    checksum: 'crc32',
    newId,
  };
  return {
    target: 'DynamoDB_20120810',
    async handle(request) {
      return answerJson(protocol, request);
    },
    createTable(properties) {
      const { name, arn } = ensureTable(state, properties);
      return { name, arn };
    },
  };
}
