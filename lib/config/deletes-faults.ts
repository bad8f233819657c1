/** Checks that a feed of deletes fits its source and its records. */
import { askingFaults } from './asking-faults.ts';
import { byToken } from './by-token.ts';
import type { Fault } from './faults.ts';
import type { RecordSettings, SourceSettings, VersionFormat } from './pipeline-settings.ts';
import { keyPaths } from './record-key.ts';

/** @param record undefined where that is faulty in itself. */
export function deletesFaults(
  source: SourceSettings,
  record: RecordSettings | undefined,
): readonly Fault[] {
  const { deletes } = source;
  if (deletes === undefined) return [];
  const faults = askingFaults({ ...source, ...deletes, url: deletes.path }).map(inDeletes);
  return record === undefined ? faults : [...faults, ...keyFaults(source, record)];
}

function keyFaults(
  { deletes, incremental }: SourceSettings,
  { key, partitionBy, version }: RecordSettings,
): readonly Fault[] {
  if (deletes === undefined) return [];
  const faults: Fault[] = [];
  const parts = keyPaths(key).length;
  if (keyPaths(deletes.key ?? key).length !== parts) {
    const message = `must be ${parts === 1 ? 'one dot path' : 'two dot paths'}, as record.key is`;
    faults.push({ path: ['source', 'deletes', 'key'], message });
  }
  if (JSON.stringify(partitionBy) !== JSON.stringify(key) && deletes.partitionBy === undefined) {
    const message =
      `is missing: records go to their shards by '${keyPaths(partitionBy).join("' and '")}', and a delete must go ` +
      'where its record went';
    faults.push({ path: ['source', 'deletes', 'partitionBy'], message });
  }
  if (byToken({ incremental }) !== undefined && deletes.version === undefined) {
    const message =
      'is missing: a source that is asked by token shows a change once, so nothing else tells whether it came ' +
      'before a delete';
    faults.push({ path: ['source', 'deletes', 'version'], message });
  }
  if (deletes.version && 'field' in version && kindOf(deletes.version) !== kindOf(version)) {
    const message = `must be of the kind of record.version's, '${version.format}': versions of two kinds cannot be compared`;
    faults.push({ path: ['source', 'deletes', 'version', 'format'], message });
  }
  if (incremental.kind === 'snapshot') {
    const message = "must go: source.incremental.kind 'snapshot' finds what is gone by itself";
    faults.push({ path: ['source', 'deletes'], message });
  }
  return faults;
}

/** By whole numbers, by revisions, or by times of whatever format. */
function kindOf({ format }: { readonly format: VersionFormat }): string {
  return format === 'integer' || format === 'revision' ? format : 'time';
}

/** What is wrong with it as a source is wrong below `source.deletes`. */
function inDeletes({ path: [, ...path], message }: Fault): Fault {
  const place = path[0] === 'auth' ? ['source', ...path] : ['source', 'deletes', ...path];
  return { path: place, message: message.replaceAll('source.', 'source.deletes.') };
}
