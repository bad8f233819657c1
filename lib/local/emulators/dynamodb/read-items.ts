/** GetItem, Query and Scan. */
import type { JsonInput } from '#local/aws-json';
import { parseMap } from './attribute-value.ts';
import type { AttributeMap } from './attribute-value.ts';
import { readCapacity } from './capacity.ts';
import { meets } from './expression/evaluate.ts';
import { project, refuseOverlap, resolvePath } from './expression/paths.ts';
import type { ResolvedPath } from './expression/paths.ts';
import { openScope } from './expression/scope.ts';
import type { Scope } from './expression/scope.ts';
import type { Condition } from './expression/syntax.ts';
import type { SortRange, StoredItem } from './item-store.ts';
import { readKeyCondition } from './key-condition.ts';
import { keyAttributes, keyNames, keyOfParameter } from './keys.ts';
import { invalid, oneOf, onlyKnown } from './refusal.ts';
import { tableOf, withFaults } from './state.ts';
import type { DynamoState } from './state.ts';
import type { Table } from './table-store.ts';

/** @source DynamoDB API 2012-08-10, Query and Scan. */
const PAGE_BYTES_MAX = 1024 * 1024;
const NAMES = ['ExpressionAttributeNames', 'ProjectionExpression'];
const COMMON = ['TableName', 'ConsistentRead', 'ReturnConsumedCapacity', ...NAMES];
const PAGED = [
  ...COMMON,
  'ExpressionAttributeValues',
  'FilterExpression',
  'Limit',
  'ExclusiveStartKey',
  'Select',
];

export function getItem(state: DynamoState, input: JsonInput): object {
  onlyKnown(input, [...COMMON, 'Key']);
  const table = tableOf(state, input);
  const key = keyOfParameter(table, parseMap(input['Key']));
  const scope = openScope(input);
  const paths = readProjection(scope);
  scope.close();
  return withFaults(state, table, 'GetItem', () => {
    const found = state.items.get(table, key);
    return {
      ...(found === undefined
        ? {}
        : { Item: paths === undefined ? found.item : project(found.item, paths) }),
      ...readCapacity(input, table, found?.bytes ?? 0),
    };
  });
}

export function readProjection(scope: Scope): readonly ResolvedPath[] | undefined {
  const paths = scope.projection()?.map((path) => resolvePath(path, scope));
  if (paths !== undefined) refuseOverlap('ProjectionExpression', paths);
  return paths;
}

export function query(state: DynamoState, input: JsonInput): object {
  onlyKnown(input, [...PAGED, 'KeyConditionExpression', 'ScanIndexForward']);
  const table = tableOf(state, input);
  const scope = openScope(input);
  const keyCondition = scope.condition('KeyConditionExpression');
  const page = readPageAsk(table, input, scope);
  if (keyCondition === undefined) {
    throw invalid(
      'Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.',
    );
  }
  const { partition, range } = readKeyCondition(table, keyCondition, scope);
  if (page.filter !== undefined) refuseKeysInFilter(table, page.filter, scope);
  const direction = input['ScanIndexForward'] === false ? 'backward' : 'forward';
  const start = page.start === undefined ? undefined : keyOfParameter(table, page.start).sort;
  return withFaults(state, table, 'Query', () => {
    const rest = start === undefined ? range : beyond(range, start, direction);
    return collect(
      table,
      state.items.query(table, partition, { range: rest, direction }),
      page,
      input,
    );
  });
}

function beyond(range: SortRange, start: Uint8Array, direction: 'forward' | 'backward'): SortRange {
  const edge = { bytes: start, inclusive: false };
  return direction === 'forward' ? { ...range, low: edge } : { ...range, high: edge };
}

export function scan(state: DynamoState, input: JsonInput): object {
  onlyKnown(input, PAGED);
  const table = tableOf(state, input);
  const scope = openScope(input);
  const page = readPageAsk(table, input, scope);
  const start = page.start === undefined ? undefined : keyOfParameter(table, page.start);
  return withFaults(state, table, 'Scan', () =>
    collect(table, state.items.scan(table, start), page, input),
  );
}

interface PageAsk {
  readonly filter: Condition | undefined;
  readonly paths: readonly ResolvedPath[] | undefined;
  readonly limit: number;
  readonly start: AttributeMap | undefined;
  readonly counts: boolean;
  readonly scope: Scope;
}

function readPageAsk(table: Table, input: JsonInput, scope: Scope): PageAsk {
  const filter = scope.condition('FilterExpression');
  const paths = readProjection(scope);
  scope.close();
  const select = oneOf(input, 'Select', [
    'ALL_ATTRIBUTES',
    'COUNT',
    'SPECIFIC_ATTRIBUTES',
  ] as const);
  if (select === 'SPECIFIC_ATTRIBUTES' && paths === undefined) {
    throw invalid(
      'Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES',
    );
  }
  const limit = input['Limit'] ?? Number.POSITIVE_INFINITY;
  if (typeof limit !== 'number' || limit < 1) {
    throw invalid(
      `1 validation error detected: Value '${String(limit)}' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1`,
    );
  }
  const start = input['ExclusiveStartKey'];
  return {
    filter,
    paths,
    limit,
    start: start === undefined || start === null ? undefined : startKey(table, start),
    counts: select === 'COUNT',
    scope,
  };
}

function startKey(table: Table, raw: unknown): AttributeMap {
  const key = parseMap(raw);
  try {
    keyOfParameter(table, key);
  } catch {
    throw invalid(
      'The provided starting key is invalid: The provided key element does not match the schema',
    );
  }
  return key;
}

/** One page: a limit counts what was looked at, before the filter. */
function collect(
  table: Table,
  items: Iterable<StoredItem>,
  page: PageAsk,
  input: JsonInput,
): object {
  const Items: AttributeMap[] = [];
  let count = 0;
  let scanned = 0;
  let bytes = 0;
  let last: StoredItem | undefined;
  let more = false;
  for (const stored of items) {
    if (scanned >= page.limit || bytes >= PAGE_BYTES_MAX) {
      more = true;
      break;
    }
    scanned += 1;
    bytes += stored.bytes;
    last = stored;
    if (page.filter === undefined && page.counts) {
      count += 1;
      continue;
    }
    const { item } = stored;
    if (page.filter !== undefined && !meets(page.filter, item, page.scope)) continue;
    count += 1;
    if (!page.counts) Items.push(page.paths === undefined ? item : project(item, page.paths));
  }
  // Having stopped at its limit, the service does not know that nothing follows.
  const stopped = more || (scanned > 0 && scanned === page.limit);
  return {
    ...(page.counts ? {} : { Items }),
    Count: count,
    ScannedCount: scanned,
    ...(stopped && last !== undefined ? { LastEvaluatedKey: keyAttributes(table, last.item) } : {}),
    ...readCapacity(input, table, bytes),
  };
}

function refuseKeysInFilter(table: Table, filter: Condition, scope: Scope): void {
  const named = JSON.stringify(filter, (_, value: unknown) => {
    const step = value as { kind?: unknown; alias?: unknown } | null;
    return step?.kind === 'alias'
      ? { kind: 'name', name: scope.nameOf(String(step.alias)) }
      : value;
  });
  for (const name of keyNames(table)) {
    if (named.includes(`"steps":[{"kind":"name","name":${JSON.stringify(name)}}`)) {
      throw invalid(
        `Filter Expression can only contain non-primary key attributes: Primary key attribute: ${name}`,
      );
    }
  }
}
