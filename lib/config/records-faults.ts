/** Checks that the shape of an answer has room for what else is read from it. */
import type { Fault } from './faults.ts';
import type { SourceSettings } from './pipeline-settings.ts';

export function recordsFaults({ records, pagination }: SourceSettings): readonly Fault[] {
  const isLines = typeof records === 'object' && 'lines' in records;
  if (!isLines || pagination.kind !== 'cursor') return [];
  const message = "must not be 'cursor' with records.lines: a line is a record, and no token";
  return [{ path: ['source', 'pagination', 'kind'], message }];
}
