import type { Fault } from './faults.ts';
import type { RecordSettings, SourceSettings } from './pipeline-settings.ts';

/**
 * Only what a whole source shows now is newer than what it showed before: of changes that are asked for
 * by time, an older one may come later.
 */
export function observedFaults(
  { version, eventTime }: RecordSettings,
  { incremental }: SourceSettings,
): readonly Fault[] {
  if (incremental.kind === 'snapshot') return [];
  const message = "takes a field's name: `observed` is for source.incremental.kind 'snapshot'";
  return Object.entries({ version, eventTime }).flatMap(([name, rule]) =>
    'observed' in rule ? [{ path: ['record', name], message }] : [],
  );
}
