/** Checks that the shape of an answer has room for what else is read from it. */
import type { Fault } from './faults.ts';
import type { SourceSettings } from './pipeline-settings.ts';

/** What of paging may stand in a body: of lines, each is a record. */
const MARKS = ['next', 'more', 'pages', 'total'] as const;

export function recordsFaults({ records, pagination }: SourceSettings): readonly Fault[] {
  const isLines = typeof records === 'object' && 'lines' in records;
  if (!isLines) return [];
  const marks: Readonly<Record<string, unknown>> = pagination;
  return MARKS.filter((name) => typeof marks[name] === 'string').map((name) => ({
    path: ['source', 'pagination', name],
    message:
      'must not be a place in the body with records.lines: a line is a record; name a header, or another kind',
  }));
}
