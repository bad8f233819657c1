/** Checks that the shape of an answer has room for what else is read from it. */
import type { Fault } from './faults.ts';
import type { SourceSettings } from './pipeline-settings.ts';

/** What of paging, or of a token, may stand in a body: of lines, each is a record. */
const MARKS = ['next', 'more', 'pages', 'total', 'pending'];

export function recordsFaults({
  records,
  pagination,
  incremental,
}: SourceSettings): readonly Fault[] {
  const isLines = typeof records === 'object' && 'lines' in records;
  if (!isLines) return [];
  return Object.entries({ pagination, incremental }).flatMap(([part, members]) =>
    Object.entries(members)
      .filter(([name, place]) => MARKS.includes(name) && typeof place === 'string')
      .map(([name]) => ({
        path: ['source', part, name],
        message:
          'must not be a place in the body with records.lines: a line is a record; name a header, or another kind',
      })),
  );
}
