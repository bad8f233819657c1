/** Reads what Query and Scan have in common: which attributes, which filter, how much, from where. */
import type { JsonInput } from '#local/aws-json';
import { parseMap } from './attribute-value.ts';
import type { AttributeMap } from './attribute-value.ts';
import type { ResolvedPath } from './expression/paths.ts';
import { resolvePath } from './expression/paths.ts';
import type { Scope } from './expression/scope.ts';
import { operandsIn } from './expression/syntax.ts';
import type { Condition } from './expression/syntax.ts';
import { keyNames } from './keys.ts';
import { refuseNestedKeys } from './nested-keys.ts';
import { invalid, invalidValue } from './refusal.ts';
import { indexOf, projectedNames } from './secondary-index.ts';
import { tableOf } from './state.ts';
import type { DynamoState } from './state.ts';
import type { Place, SecondaryIndex, Table } from './table-store.ts';

export interface PageAsk {
  readonly filter: Condition | undefined;
  readonly paths: readonly ResolvedPath[] | undefined;
  readonly limit: number;
  readonly start: AttributeMap | undefined;
  readonly select: string | undefined;
  readonly scope: Scope;
}

/** What is known before the table is. */
export function readPageAsk(input: JsonInput, scope: Scope): PageAsk {
  const raw = input['ExclusiveStartKey'];
  const start = raw === undefined || raw === null ? undefined : parseMap(raw);
  const filter = scope.condition('FilterExpression');
  const paths = scope.projection();
  const select = input['Select'] ?? undefined;
  const limit = Number(input['Limit'] ?? Number.POSITIVE_INFINITY);
  return {
    filter,
    paths,
    limit,
    start,
    select: select === undefined ? undefined : String(select),
    scope,
  };
}

/** The table or index to read, and whether its items have all attributes. */
export interface Target {
  readonly table: Table;
  readonly index: SecondaryIndex | undefined;
  readonly place: Place;
  /** A local index that lacks attributes which are asked for: they come from the table. */
  readonly fetches: boolean;
}

export function findTarget(state: DynamoState, input: JsonInput, ask: PageAsk): Target {
  const table = tableOf(state, input['TableName']);
  const name = input['IndexName'];
  const index = name === undefined || name === null ? undefined : indexOf(table, String(name));
  if (index?.scope === 'global' && input['ConsistentRead'] === true) {
    throw invalid('Consistent reads are not supported on global secondary indexes');
  }
  checkSelect(ask, index);
  const fetches = index !== undefined && needsTable(table, index, ask);
  return { table, index, place: index ?? table, fetches };
}

function checkSelect({ select, paths }: PageAsk, index: SecondaryIndex | undefined): void {
  if (paths !== undefined && select !== undefined && select !== 'SPECIFIC_ATTRIBUTES') {
    throw invalid(
      `Cannot specify the ProjectionExpression when choosing to get ${select === 'COUNT' ? 'only the Count' : select}`,
    );
  }
  if (select === 'SPECIFIC_ATTRIBUTES' && paths === undefined) {
    throw invalid(
      'Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES',
    );
  }
  if (select === 'ALL_PROJECTED_ATTRIBUTES' && index === undefined) {
    throw invalidValue(
      'ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName',
    );
  }
}

function needsTable(table: Table, index: SecondaryIndex, ask: PageAsk): boolean {
  const names = projectedNames(table, index);
  if (names === undefined) return false;
  if (ask.select === 'ALL_ATTRIBUTES') {
    if (index.scope === 'local') return true;
    throw invalidValue(
      `Select type ALL_ATTRIBUTES is not supported for global secondary index ${index.name} because its ` +
        'projection type is not ALL',
    );
  }
  const absent = (ask.paths ?? []).map(([name]) => String(name)).filter((n) => !names.includes(n));
  if (absent.length === 0 || index.scope === 'local') return absent.length > 0;
  throw invalidValue(
    `Global secondary index ${index.name} does not project [${[...new Set(absent)].join(', ')}]`,
  );
}

/** The keys of a place have been chosen before the filter sees an item. */
export function refuseInFilter(
  { table, place }: Target,
  { filter, paths, scope }: PageAsk,
  operation: 'Query' | 'Scan',
): void {
  refuseNestedKeys(table, paths ?? []);
  if (filter === undefined) return;
  const named = operandsIn(filter).flatMap((operand) =>
    operand.kind === 'path' ? [resolvePath(operand, scope)] : [],
  );
  const key = keyNames(place).find((name) => named.some(([head]) => head === name));
  if (operation === 'Query' && key !== undefined) {
    throw invalid(
      `Filter Expression can only contain non-primary key attributes: Primary key attribute: ${key}`,
    );
  }
  refuseNestedKeys(table, named);
}
