/** Query and Scan: a page of a table or an index. */
import type { JsonInput } from '#local/aws-json';
import type { AttributeMap } from './attribute-value.ts';
import { consumed, readKind, readUnits, spentByRead } from './capacity.ts';
import { meets } from './expression/evaluate.ts';
import { project } from './expression/paths.ts';
import { openScope } from './expression/scope.ts';
import type { StoredItem } from './item-store.ts';
import { keyRange, readKeyParts } from './key-condition.ts';
import { keyNames, pickNames, placeKey } from './keys.ts';
import { findTarget, readPageAsk, refuseInFilter } from './page-ask.ts';
import type { PageAsk, Target } from './page-ask.ts';
import { invalid } from './refusal.ts';
import { checkSegment, checkWithin, readStartKey, startNames } from './start-key.ts';
import { withFaults } from './state.ts';
import type { DynamoState } from './state.ts';

/** @source DynamoDB API 2012-08-10, Query and Scan: before the filter. */
const PAGE_BYTES_MAX = 1024 * 1024;

export function query(state: DynamoState, input: JsonInput): object {
  if (input['KeyConditionExpression'] === undefined || input['KeyConditionExpression'] === null) {
    throw invalid(
      'Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.',
    );
  }
  const scope = openScope(input, [
    'ProjectionExpression',
    'FilterExpression',
    'KeyConditionExpression',
  ]);
  const ask = readPageAsk(input, scope);
  const condition = scope.condition('KeyConditionExpression');
  scope.close();
  if (condition === undefined) throw new Error('a key condition was given');
  const parts = readKeyParts(condition, scope);
  const target = findTarget(state, input, ask);
  const after = ask.start === undefined ? undefined : readStartKey(target, ask.start, 'Query');
  const keys = keyRange(target.place, parts);
  if (after !== undefined) checkWithin(keys, after);
  refuseInFilter(target, ask, 'Query');
  const direction = input['ScanIndexForward'] === false ? 'backward' : 'forward';
  return withFaults(state, target.table, 'Query', () => {
    const { partition, range = {} } = keys;
    const found = state.items.query(target.place, partition, { range, direction, after });
    return readPage(state, target, found, ask, input);
  });
}

export function scan(state: DynamoState, input: JsonInput): object {
  const segment = readSegment(input);
  const scope = openScope(input, ['ProjectionExpression', 'FilterExpression']);
  const ask = readPageAsk(input, scope);
  scope.close();
  const target = findTarget(state, input, ask);
  const after = ask.start === undefined ? undefined : readStartKey(target, ask.start, 'Scan');
  if (after !== undefined && segment !== undefined) checkSegment(segment, after);
  refuseInFilter(target, ask, 'Scan');
  return withFaults(state, target.table, 'Scan', () =>
    readPage(state, target, state.items.scan(target.place, { after, segment }), ask, input),
  );
}

function readSegment(input: JsonInput): { at: number; of: number } | undefined {
  const at = input['Segment'] ?? undefined;
  const of = input['TotalSegments'] ?? undefined;
  if (at === undefined && of === undefined) return undefined;
  if (of === undefined) {
    throw invalid(
      'The TotalSegments parameter is required but was not present in the request when Segment parameter is present',
    );
  }
  if (at === undefined) {
    throw invalid(
      'The Segment parameter is required but was not present in the request when parameter TotalSegments is present',
    );
  }
  if (Number(at) < Number(of)) return { at: Number(at), of: Number(of) };
  throw invalid(
    'The Segment parameter is zero-based and must be less than parameter TotalSegments: ' +
      `Segment: ${Number(at)} is not less than TotalSegments: ${Number(of)}`,
  );
}

/** What was looked at, and what of it was wanted. */
interface Page {
  readonly items: AttributeMap[];
  count: number;
  scanned: number;
  bytes: number;
  /** Of the table, for attributes that a local index lacks. */
  fetchedUnits: number;
  last: StoredItem | undefined;
}

/** One page: a limit counts what was looked at, before the filter. */
function readPage(
  state: DynamoState,
  target: Target,
  found: Iterable<StoredItem>,
  ask: PageAsk,
  input: JsonInput,
): object {
  const page: Page = {
    items: [],
    count: 0,
    scanned: 0,
    bytes: 0,
    fetchedUnits: 0,
    last: undefined,
  };
  // Having stopped at a limit, the service does not know whether anything follows.
  let stopped = false;
  for (const stored of found) {
    look(state, target, stored, ask, page);
    stopped = page.scanned >= ask.limit || page.bytes >= PAGE_BYTES_MAX;
    if (stopped) break;
  }
  const { last } = page;
  return {
    ...(ask.select === 'COUNT' ? {} : { Items: page.items }),
    Count: page.count,
    ScannedCount: page.scanned,
    ...(stopped && last !== undefined
      ? { LastEvaluatedKey: pickNames(last.item, startNames(target)) }
      : {}),
    ...spent(target, page, input),
  };
}

function look(
  state: DynamoState,
  target: Target,
  stored: StoredItem,
  ask: PageAsk,
  page: Page,
): void {
  page.scanned += 1;
  page.bytes += stored.bytes;
  page.last = stored;
  const counts = ask.select === 'COUNT';
  if (counts && ask.filter === undefined) {
    page.count += 1;
    return;
  }
  let { item } = stored;
  if (target.fetches) {
    const key = placeKey(target.table, pickNames(item, keyNames(target.table)));
    const whole = key === undefined ? undefined : state.items.get(target.table, key);
    item = whole?.item ?? item;
    page.fetchedUnits += readUnits(whole?.bytes ?? 0, 'consistent');
  }
  if (ask.filter !== undefined && !meets(ask.filter, item, ask.scope)) return;
  page.count += 1;
  if (!counts) page.items.push(ask.paths === undefined ? item : project(item, ask.paths));
}

function spent({ table, index }: Target, page: Page, input: JsonInput): object {
  const kind = readKind(input);
  const units = readUnits(page.bytes, kind);
  const fetched = kind === 'eventual' ? page.fetchedUnits / 2 : page.fetchedUnits;
  return consumed(
    input,
    index === undefined ? spentByRead(table, units) : spentByRead(table, fetched, { index, units }),
  );
}
