import { byTime } from './by-time.ts';
import type { Fault } from './faults.ts';
import type { RecordSettings, SourceSettings } from './pipeline-settings.ts';

/** Zones whose clocks are never set back. */
const STEADY = /^(UTC|GMT|Etc\/(UTC|GMT([+-]\d{1,2})?))$/;

/** What of times without an offset cannot be read, or not be put in order. */
export function timeZoneFaults(
  source: SourceSettings | undefined,
  record: Pick<RecordSettings, 'version' | 'eventTime'> | undefined,
): readonly Fault[] {
  if (source === undefined) return [];
  const { timeZone, deletes } = source;
  const incremental = byTime(source);
  const formats = {
    'source.incremental.format': incremental?.format,
    'source.incremental.fieldFormat': incremental?.fieldFormat,
    'source.deletes.incremental.format': deletes?.incremental.format,
    'source.deletes.incremental.fieldFormat': deletes?.incremental.fieldFormat,
    'source.deletes.version.format': deletes?.version?.format,
    'source.deletes.eventTime.format': deletes?.eventTime?.format,
    'record.version.format': formatOf(record?.version),
    'record.eventTime.format': formatOf(record?.eventTime),
  };
  const [first] = Object.entries(formats).find(([, format]) => format === 'local') ?? [];
  if (first !== undefined && timeZone === undefined) {
    const message = `is missing: ${first} is 'local', the time of some zone`;
    return [{ path: ['source', 'timeZone'], message }];
  }
  if (STEADY.test(timeZone ?? '')) return [];
  const message =
    `must not be 'local' in ${timeZone}: where clocks are set back, a later change would be taken ` +
    'for an older one';
  return (['source.deletes.version.format', 'record.version.format'] as const)
    .filter((place) => formats[place] === 'local')
    .map((place) => ({ path: place.split('.'), message }));
}

function formatOf(
  rule: RecordSettings['version'] | RecordSettings['eventTime'] | undefined,
): string | undefined {
  return rule !== undefined && 'format' in rule ? rule.format : undefined;
}
