/** Checks that what names a record fits how its source shows it. */
import type { Fault } from './faults.ts';
import { keyPaths } from './record-key.ts';
import type { RecordSettings, SourceSettings } from './pipeline-settings.ts';

export function recordSourceFaults(
  record: RecordSettings,
  source: SourceSettings,
): readonly Fault[] {
  return [observedFaults, deletedFaults, keysetFaults].flatMap((faults) => faults(record, source));
}

/**
 * Only what a whole source shows now is newer than what it showed before: of changes that are asked for
 * by time, an older one may come later.
 */
function observedFaults(
  { version, eventTime }: RecordSettings,
  { incremental }: SourceSettings,
): readonly Fault[] {
  if (incremental.kind === 'snapshot') return [];
  const message = "takes a field's name: `observed` is for source.incremental.kind 'snapshot'";
  return Object.entries({ version, eventTime }).flatMap(([name, rule]) =>
    'observed' in rule ? [{ path: ['record', name], message }] : [],
  );
}

/** A record whose field holds anything is a delete: what every record holds would delete them all. */
function deletedFaults(
  { key, version }: RecordSettings,
  { deleted }: SourceSettings,
): readonly Fault[] {
  if (deleted === undefined) return [];
  const names = new Map(keyPaths(key).map((path) => [path, 'record.key']));
  if ('field' in version) names.set(version.field, 'record.version');
  const name = names.get(deleted.field);
  if (name === undefined) return [];
  const message = `must not be ${name}: every record that holds it would be a delete`;
  return [{ path: ['source', 'deleted', 'field'], message }];
}

/** A page of one record shows nothing of what shares its value. */
function keysetFaults(
  { key }: RecordSettings,
  { pagination, pageSize }: SourceSettings,
): readonly Fault[] {
  if (pagination.kind !== 'keyset' || pageSize?.value !== 1 || pagination.field === key) return [];
  const message = `must be 2 at least: records may share their '${pagination.field}', which is not record.key`;
  return [{ path: ['source', 'pageSize', 'value'], message }];
}
