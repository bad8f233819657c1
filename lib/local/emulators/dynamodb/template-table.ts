/** A table as a template has it: AWS::DynamoDB::Table, or GlobalTable with its one replica. */
import type { JsonInput } from '#local/aws-json';
import { addTable, changeTimeToLive } from './create-table.ts';
import { isTrue, readTableProperties } from './table-properties.ts';
import { invalid } from './refusal.ts';
import { fillIndex } from './secondary-index.ts';
import type { DynamoState } from './state.ts';
import type { SecondaryIndex, Table, TableSettings } from './table-store.ts';

/** What a GlobalTable says of each region, a Table says of itself. */
const OF_REPLICA = [
  'DeletionProtectionEnabled',
  'PointInTimeRecoverySpecification',
  'TableClass',
  'Tags',
];

/**
 * Create the table; one that is there keeps its items, and gets the indexes and settings of the template.
 *
 * @throws {ServiceError} when the one that is there has other keys.
 */
export function ensureTable(state: DynamoState, properties: JsonInput): Table {
  const settings = readTemplate(properties, state.clock.nowMs());
  const present = state.tables.tables.get(settings.name);
  if (present === undefined) return addTable(state, settings);
  refuseOtherKeys(present, settings);
  return state.items.atomically(() => {
    const timed = changeTimeToLive(state, present, settings.ttlAttribute);
    const kept = new Set(settings.indexes.map(indexForm));
    const gone = timed.indexes.filter((index) => !kept.has(indexForm(index)));
    for (const index of gone) state.items.removeAll(index);
    const { name: _, ...change } = settings;
    const recovery = settings.recovery === undefined ? undefined : present.recovery;
    // One that changed under its name begins anew.
    const before = state.tables.change(timed, {
      indexes: timed.indexes.filter((index) => !gone.includes(index)),
    });
    const table = state.tables.change(before, {
      ...change,
      recovery: recovery ?? settings.recovery,
    });
    const had = new Set(before.indexes.map(({ place }) => place));
    for (const index of table.indexes) {
      if (!had.has(index.place)) fillIndex(state.items, table, index);
    }
    return table;
  });
}

function readTemplate(properties: JsonInput, nowMs: number): TableSettings {
  const [replica] = (properties['Replicas'] ?? [{}]) as readonly JsonInput[];
  const own: Record<string, unknown> = { ...properties };
  for (const name of OF_REPLICA) own[name] ??= replica?.[name];
  const settings = readTableProperties(own);
  const { PointInTimeRecoveryEnabled: enabled, RecoveryPeriodInDays: days = 35 } = (own[
    'PointInTimeRecoverySpecification'
  ] ?? {}) as JsonInput;
  return isTrue(enabled)
    ? { ...settings, recovery: { sinceMs: nowMs, days: Number(days) } }
    : settings;
}

function refuseOtherKeys(present: Table, settings: TableSettings): void {
  const keys = ({ partitionKey, sortKey }: TableSettings | Table): string =>
    JSON.stringify([partitionKey, sortKey]);
  const local = ({ indexes }: TableSettings | Table): string =>
    JSON.stringify(indexes.filter(({ scope }) => scope === 'local').map(indexForm));
  if (keys(present) === keys(settings) && local(present) === local(settings)) return;
  throw invalid(`Table ${settings.name} exists with other keys: delete what was kept of it first`);
}

function indexForm({
  name,
  scope,
  partitionKey,
  sortKey,
  projection,
}: TableSettings['indexes'][number] | SecondaryIndex): string {
  return JSON.stringify([name, scope, partitionKey, sortKey, projection]);
}
