/** BatchGetItem and BatchWriteItem: many items in one request, each for itself. */
import type { JsonInput } from '#local/aws-json';
import { inTransaction } from '#local/storage';
import { parseMap } from './attribute-value.ts';
import { writeCapacity } from './capacity.ts';
import { project } from './expression/paths.ts';
import { openScope } from './expression/scope.ts';
import { keyOfParameter } from './keys.ts';
import { readProjection } from './read-items.ts';
import { invalid, onlyKnown, oneOf } from './refusal.ts';
import { tableOf, throttled } from './state.ts';
import type { DynamoState } from './state.ts';
import { applyWrite, planDelete, planPut } from './write-item.ts';
import type { Write } from './write-item.ts';

/** @source DynamoDB API 2012-08-10, BatchWriteItem and BatchGetItem. */
const BATCH_WRITES_MAX = 25;
const BATCH_READS_MAX = 100;
const ANSWER_BYTES_MAX = 16 * 1024 * 1024;

export function batchWriteItem(state: DynamoState, input: JsonInput): object {
  onlyKnown(input, ['RequestItems', 'ReturnConsumedCapacity']);
  const requests = entriesOf(input).flatMap(([TableName, list]) =>
    (list as readonly JsonInput[]).map((request) => ({ TableName, request })),
  );
  if (requests.length > BATCH_WRITES_MAX) {
    throw invalid('Too many items requested for the BatchWriteItem call');
  }
  const writes = requests.map(({ TableName, request }) => ({
    request,
    write: planRequest(state, TableName, request),
  }));
  refuseTwice(
    writes.map(({ write }) => write),
    'Provided list of item keys contains duplicates',
  );

  const unprocessed: Record<string, JsonInput[]> = {};
  let done = 0;
  inTransaction(state.storage, () => {
    for (const { write, request } of writes) {
      if (state.faults.onTable?.(write.table.name, 'BatchWriteItem') === 'throttle') {
        (unprocessed[write.table.name] ??= []).push(request);
        continue;
      }
      applyWrite(state, write, state.items.get(write.table, write.key));
      done += 1;
    }
  });
  if (done === 0) throw throttled();
  return {
    UnprocessedItems: unprocessed,
    ...consumedByTable(
      input,
      writes.map(({ write }) => write),
    ),
  };
}

function planRequest(state: DynamoState, TableName: string, request: JsonInput): Write {
  onlyKnown(request, ['PutRequest', 'DeleteRequest']);
  const { PutRequest, DeleteRequest } = request;
  if ((PutRequest === undefined) === (DeleteRequest === undefined)) {
    throw invalid(
      'Supplied AttributeValue has more than one datatypes set or none: one of PutRequest and DeleteRequest',
    );
  }
  return PutRequest === undefined
    ? planDelete(state, { TableName, ...(DeleteRequest as JsonInput) })
    : planPut(state, { TableName, ...(PutRequest as JsonInput) });
}

export function refuseTwice(writes: readonly Write[], message: string): void {
  const seen = new Set<string>();
  for (const { table, key } of writes) {
    const id = `${table.row} ${Buffer.from(key.partition).toString('hex')} ${Buffer.from(key.sort).toString('hex')}`;
    if (seen.has(id)) throw invalid(message);
    seen.add(id);
  }
}

function consumedByTable(input: JsonInput, writes: readonly Write[]): object {
  if (oneOf(input, 'ReturnConsumedCapacity', ['NONE', 'TOTAL', 'INDEXES'] as const) === 'NONE')
    return {};
  return {
    ConsumedCapacity: writes.map(({ table }) => Object.values(writeCapacity(input, table, 0))[0]),
  };
}

export function batchGetItem(state: DynamoState, input: JsonInput): object {
  onlyKnown(input, ['RequestItems', 'ReturnConsumedCapacity']);
  const asks = entriesOf(input).map(([TableName, raw]) => {
    const ask = raw as JsonInput;
    onlyKnown(ask, ['Keys', 'ConsistentRead', 'ProjectionExpression', 'ExpressionAttributeNames']);
    const table = tableOf(state, { TableName });
    const scope = openScope(ask);
    const paths = readProjection(scope);
    scope.close();
    const keys = (ask['Keys'] as readonly unknown[]).map((key) => ({
      raw: key,
      key: keyOfParameter(table, parseMap(key)),
    }));
    return { table, ask, paths, keys };
  });
  if (asks.reduce((count, { keys }) => count + keys.length, 0) > BATCH_READS_MAX) {
    throw invalid('Too many items requested for the BatchGetItem call');
  }
  const Responses: Record<string, object[]> = {};
  const UnprocessedKeys: Record<string, object> = {};
  let bytes = 0;
  for (const { table, ask, paths, keys } of asks) {
    const seen = new Set(
      keys.map(({ key }) => Buffer.concat([key.partition, key.sort]).toString('hex')),
    );
    if (seen.size < keys.length) throw invalid('Provided list of item keys contains duplicates');
    const left: unknown[] = [];
    const found = (Responses[table.name] = [] as object[]);
    for (const { raw, key } of keys) {
      const fault = state.faults.onTable?.(table.name, 'BatchGetItem');
      const stored =
        fault === 'throttle' || bytes > ANSWER_BYTES_MAX ? undefined : state.items.get(table, key);
      if (fault === 'throttle' || bytes > ANSWER_BYTES_MAX) left.push(raw);
      if (stored === undefined) continue;
      bytes += stored.bytes;
      found.push(paths === undefined ? stored.item : project(stored.item, paths));
    }
    if (left.length > 0) UnprocessedKeys[table.name] = { ...ask, Keys: left };
  }
  return { Responses, UnprocessedKeys };
}

function entriesOf(input: JsonInput): readonly (readonly [string, unknown])[] {
  const entries = Object.entries(input['RequestItems'] ?? {});
  const empty = entries.some(([, list]) => Array.isArray(list) && list.length === 0);
  if (entries.length === 0 || empty) {
    throw invalid(
      "1 validation error detected: Value at 'requestItems' failed to satisfy constraint: Member must have length greater than or equal to 1",
    );
  }
  return entries;
}
