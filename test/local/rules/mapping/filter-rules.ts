import type { Rules } from '#test/local/rules/rule';

const FILTERING = 'lambda/latest/dg/invocation-eventfiltering';
const OF_KINESIS = 'lambda/latest/dg/with-kinesis-filtering';

/** Which records a function is handed. */
export const FILTER_RULES = {
  'filter-any': {
    rule: 'A record that matches one of several filters goes to the function, one that matches none is dropped',
    limit: '5 filters',
    source: FILTERING,
  },
  'filter-data': {
    rule: 'A filter of data looks into its JSON, under base64',
    source: OF_KINESIS,
  },
  'filter-no-json': {
    rule: 'A filter of data drops a record whose data is no JSON',
    source: OF_KINESIS,
  },
  'filter-plain-data': {
    rule: 'A filter that compares data as text is refused',
    source: OF_KINESIS,
  },
  'filter-metadata': {
    rule: 'A filter of a record’s other members, as its partitionKey, asks nothing of its data',
    source:
      'two pages differ: one says that only data is filtered, the other what becomes of a filter of metadata alone',
    isOurChoice: true,
  },
  'filter-unknown-key': {
    rule: 'A filter of a member that no Kinesis record has is refused',
    source: 'it would drop every record without a word',
    isOurChoice: true,
  },
  'filter-and': {
    rule: 'All fields of a filter must match, and of a field’s values one',
    source: FILTERING,
  },
  'filter-operators': {
    rule: 'equals, equals-ignore-case, prefix, suffix, anything-but, numeric, exists and $or compare as Lambda documents them',
    source: `${FILTERING}, filter rule syntax`,
  },
  'filter-leaf': {
    rule: 'exists looks at leaves: an object in its place does not exist',
    source: 'lambda/latest/dg/with-ddb-filtering, "Exists operator"',
  },
  'filter-lists': {
    rule: 'A list matches when one of its members does',
    source: 'eventbridge/latest/userguide/eb-event-patterns-arrays',
  },
  'filter-invalid': {
    rule: 'A pattern that is no JSON object of comparisons is refused: Invalid filter pattern definition',
    source: 'Lambda API 2015-03-31, CreateEventSourceMapping: InvalidParameterValueException',
  },
  'filter-limits': {
    rule: 'More filters, or longer patterns, than Lambda takes are refused',
    limit: '5 filters, 4,096 characters',
    source: `Lambda API 2015-03-31, Filter; ${FILTERING}`,
  },
  'filter-place': {
    rule: 'Dropped records are passed: they are not read again after a restart',
    source: FILTERING,
  },
  'filter-batch': {
    rule: 'A batch is of so many records that matched',
    source: 'AWS does not say whether a batch is counted before or after its filter',
    isOurChoice: true,
  },
} as const satisfies Rules;
