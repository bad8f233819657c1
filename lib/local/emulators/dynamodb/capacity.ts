/** The capacity that a request consumed, for those who ask. */
import type { JsonInput } from '#local/aws-json';
import type { IndexWrite } from './secondary-index.ts';
import type { SecondaryIndex, Table } from './table-store.ts';

const WRITE_UNIT_BYTES = 1_024;
const READ_UNIT_BYTES = 4_096;

/** Units by what they were spent on. */
export interface Spent {
  readonly table: Table;
  readonly tableUnits: number;
  readonly indexUnits: ReadonlyMap<SecondaryIndex, number>;
}

/** Once more per operation in a transaction: to prepare, and to commit. */
export const TRANSACTION_FACTOR = 2;

/** `bytes` is the larger of the item before and after. */
export function spentByWrite(
  table: Table,
  bytes: number,
  indexWrites: readonly IndexWrite[],
  factor = 1,
): Spent {
  return {
    table,
    tableUnits: factor * writeUnits(bytes),
    indexUnits: new Map(
      indexWrites.map(({ index, bytes: sizes }) => [
        index,
        factor * sizes.reduce((units, size) => units + writeUnits(size), 0),
      ]),
    ),
  };
}

function writeUnits(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / WRITE_UNIT_BYTES));
}

/** Units of one read, at least one: half, where it may be a little old. */
export function readUnits(bytes: number, kind: 'eventual' | 'consistent' | 'transaction'): number {
  const units = Math.max(1, Math.ceil(bytes / READ_UNIT_BYTES));
  return kind === 'eventual' ? units / 2 : kind === 'consistent' ? units : units * 2;
}

export function readKind(ask: JsonInput): 'eventual' | 'consistent' {
  return ask['ConsistentRead'] === true ? 'consistent' : 'eventual';
}

export function spentByRead(
  table: Table,
  tableUnits: number,
  index?: { readonly index: SecondaryIndex; readonly units: number },
): Spent {
  const indexUnits = new Map(index === undefined ? [] : [[index.index, index.units] as const]);
  return { table, tableUnits, indexUnits };
}

/** The member `ConsumedCapacity` of an answer about one table; nothing, where nobody asks. */
export function consumed(input: JsonInput, spent: Spent): object {
  return isAsked(input) ? { ConsumedCapacity: describe(input, spent) } : {};
}

/** The same of an answer about several tables. */
export function consumedByTable(
  input: JsonInput,
  spent: readonly Spent[],
  kind: 'read' | 'write' | 'both' = 'both',
): object {
  if (!isAsked(input)) return {};
  const tables = new Map<string, Spent>();
  for (const one of spent) {
    const before = tables.get(one.table.name);
    tables.set(one.table.name, before === undefined ? one : sum(before, one));
  }
  const list = [...tables.values()].map((one) => {
    const CapacityUnits = total(one);
    return {
      ...describe(input, one),
      ...(kind === 'read' ? { ReadCapacityUnits: CapacityUnits } : {}),
      ...(kind === 'write' ? { WriteCapacityUnits: CapacityUnits } : {}),
    };
  });
  return { ConsumedCapacity: list };
}

function isAsked(input: JsonInput): boolean {
  return (
    input['ReturnConsumedCapacity'] === 'TOTAL' || input['ReturnConsumedCapacity'] === 'INDEXES'
  );
}

function sum(a: Spent, b: Spent): Spent {
  const indexUnits = new Map(a.indexUnits);
  for (const [index, units] of b.indexUnits) {
    indexUnits.set(index, (indexUnits.get(index) ?? 0) + units);
  }
  return { table: a.table, tableUnits: a.tableUnits + b.tableUnits, indexUnits };
}

function total({ tableUnits, indexUnits }: Spent): number {
  return [...indexUnits.values()].reduce((units, more) => units + more, tableUnits);
}

function describe(input: JsonInput, spent: Spent): object {
  const { table, tableUnits, indexUnits } = spent;
  const units = { TableName: table.name, CapacityUnits: total(spent) };
  if (input['ReturnConsumedCapacity'] !== 'INDEXES') return units;
  const byScope = (scope: SecondaryIndex['scope'], member: string): object => {
    const some = [...indexUnits].filter(([index]) => index.scope === scope);
    if (some.length === 0) return {};
    const entries = some.map(([index, CapacityUnits]) => [index.name, { CapacityUnits }]);
    return { [member]: Object.fromEntries(entries) };
  };
  return {
    ...units,
    Table: { CapacityUnits: tableUnits },
    ...byScope('local', 'LocalSecondaryIndexes'),
    ...byScope('global', 'GlobalSecondaryIndexes'),
  };
}
