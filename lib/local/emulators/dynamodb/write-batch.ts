/** BatchWriteItem: many puts and deletes in one request, each for itself. */
import { HangUp, ServiceError } from '#local/aws-json';
import type { JsonInput } from '#local/aws-json';
import { consumedByTable, spentByWrite } from './capacity.ts';
import type { Spent } from './capacity.ts';
import { collectionMetricsByTable } from './collection-metrics.ts';
import { planDelete, planPut } from './plan-write.ts';
import type { Write } from './plan-write.ts';
import { invalid } from './refusal.ts';
import { throttled } from './state.ts';
import type { DynamoState } from './state.ts';
import { applyWrite, itemAfter } from './write-item.ts';

/** @source DynamoDB API 2012-08-10, BatchWriteItem. */
const REQUESTS_MAX = 25;
const REQUEST_BYTES_MAX = 16 * 1024 * 1024;

interface Request {
  /** The table as the request names it. */
  readonly given: string;
  readonly index: number;
  readonly raw: JsonInput;
  readonly write: Write;
}

export function batchWriteItem(state: DynamoState, input: JsonInput): object {
  const requests = readRequests(state, input);
  const faults = new Map<string, 'throttle' | 'timeout-after-write' | undefined>();
  for (const { write } of requests) {
    const { name } = write.table;
    if (!faults.has(name)) faults.set(name, state.faults.onTable?.(name, 'BatchWriteItem'));
  }
  const unprocessed: Record<string, JsonInput[]> = {};
  const spent: Spent[] = [];
  const done: Write[] = [];
  state.items.atomically(() => {
    for (const { given, index, raw, write } of requests) {
      const { name } = write.table;
      const left = state.faults.onBatchItem?.(name, index) === 'unprocessed';
      if (left || faults.get(name) === 'throttle') (unprocessed[given] ??= []).push(raw);
      else {
        spent.push(perform(state, write));
        done.push(write);
      }
    }
  });
  if (done.length === 0) throw throttled(requests[0]?.write.table);
  if ([...faults.values()].includes('timeout-after-write')) throw new HangUp();
  return {
    UnprocessedItems: unprocessed,
    ...consumedByTable(input, spent),
    ...collectionMetricsByTable(state, input, done),
  };
}

function readRequests(state: DynamoState, input: JsonInput): readonly Request[] {
  const entries = Object.entries(input['RequestItems'] as Record<string, readonly JsonInput[]>);
  const count = entries.reduce((sum, [, list]) => sum + list.length, 0);
  if (count > REQUESTS_MAX) throw invalid('Too many items requested for the BatchWriteItem call');
  if (Buffer.byteLength(JSON.stringify(input)) > REQUEST_BYTES_MAX) {
    throw invalid('Item size has exceeded the maximum allowed size');
  }
  const requests = entries.flatMap(([given, list]) =>
    list.map((raw, index) => ({ given, index, raw, write: planRequest(state, given, raw) })),
  );
  refuseTwice(
    requests.map(({ write }) => write),
    'Provided list of item keys contains duplicates',
  );
  return requests;
}

function planRequest(state: DynamoState, TableName: string, raw: JsonInput): Write {
  const { PutRequest, DeleteRequest } = raw;
  if ((PutRequest === undefined) === (DeleteRequest === undefined)) {
    throw invalid(
      'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes',
    );
  }
  try {
    return PutRequest === undefined
      ? planDelete(state, { TableName, ...(DeleteRequest as JsonInput) })
      : planPut(state, { TableName, ...(PutRequest as JsonInput) });
  } catch (error) {
    const isKey = error instanceof ServiceError && /Missing the key|for key/.test(error.message);
    // A batch has one sentence for every key that does not fit.
    throw isKey ? invalid('The provided key element does not match the schema') : error;
  }
}

function perform(state: DynamoState, write: Write): Spent {
  const old = state.items.get(write.table, write.key);
  const { fresh, indexWrites } = applyWrite(state, write, old, itemAfter(write, old));
  const bytes = Math.max(old?.bytes ?? 0, fresh?.bytes ?? 0);
  return spentByWrite(write.table, bytes, indexWrites);
}

/** @throws {ServiceError} when two are about the same item. */
export function refuseTwice(asks: readonly Pick<Write, 'table' | 'key'>[], message: string): void {
  const seen = new Set<string>();
  for (const { table, key } of asks) {
    const hex = [key.partition, key.sort].map((bytes) => Buffer.from(bytes).toString('hex'));
    const id = `${table.row} ${hex.join(' ')}`;
    if (seen.has(id)) throw invalid(message);
    seen.add(id);
  }
}
