/** What DynamoDB answers to Query and Scan, of tables and indexes, and the local cloud alike. */
import type { Rules } from './rule.ts';

const GUIDE = 'amazondynamodb/latest/developerguide';
const GLOBAL = `${GUIDE}/GSI`;
const LOCAL = `${GUIDE}/LSI`;
const api = (operation: string): string => `DynamoDB API 2012-08-10, ${operation}`;

export const READ_RULES = {
  'query-conditions': {
    rule: 'a query takes one partition key and one condition on the sort key',
    source: `${GUIDE}/Query.KeyConditionExpressions`,
  },
  'sort-order-number': {
    rule: 'a query answers in the order of its sort key: numbers as numbers, backwards when asked',
    source: api('Query, ScanIndexForward'),
  },
  'sort-order-text': {
    rule: 'sort keys that are text stand in the order of their UTF-8 bytes, and begins_with goes by them',
    source: api('Query, ScanIndexForward'),
  },
  'page-limit': {
    rule: 'Limit ends a page with the key to go on from',
    source: `${GUIDE}/Query.Pagination`,
  },
  'page-bytes': {
    rule: 'a page ends at 1 MB of what was looked at, before the filter',
    limit: '1 MB',
    source: `${GUIDE}/Query.Pagination`,
  },
  'filter-after-limit': {
    rule: 'a filter is applied behind the limit: Count is what it let through, ScannedCount what was looked at',
    source: `${GUIDE}/Query.FilterExpression`,
  },
  'filter-without-keys': {
    rule: 'a query’s filter holds no key attribute',
    source: `${GUIDE}/Query.FilterExpression`,
  },
  'select-count': { rule: 'Select COUNT answers counts alone', source: api('Query, Select') },
  'query-projection': {
    rule: 'a query answers only what its projection names',
    source: api('Query'),
  },
  'select-words': {
    rule: 'Select and ProjectionExpression may not contradict each other',
    source: api('Query, Select'),
  },
  'key-condition-form': {
    rule: 'a key condition of any other form is refused',
    source: `${GUIDE}/Query.KeyConditionExpressions`,
  },
  'key-condition-needed': {
    rule: 'a query without a key condition is refused',
    source: api('Query'),
  },
  'start-key': {
    rule: 'a start key that no page could have ended with is refused',
    source: api('Query, ExclusiveStartKey'),
  },
  'start-key-elsewhere': {
    rule: 'a page goes on behind its start key, whether such an item is there or not',
    source: api('Query, ExclusiveStartKey'),
  },
  'scan-order': {
    rule: 'a scan meets every item once, in pages, and not in the order of keys',
    source: `${GUIDE}/Scan`,
  },
  'scan-segments': {
    rule: 'the segments of a parallel scan are the whole, without overlap',
    limit: '1,000,000 segments',
    source: `${GUIDE}/Scan, parallel scan`,
  },
  'segment-words': {
    rule: 'Segment and TotalSegments come together, and a segment is one of them',
    source: api('Scan, Segment'),
  },
  'start-key-of-segment': {
    rule: 'a start key of another segment is refused',
    source: api('Scan, ExclusiveStartKey'),
  },
  'scan-filter': { rule: 'a scan’s filter may hold key attributes', source: api('Scan') },
  'index-projection': {
    rule: 'an index holds the keys of index and table, and the attributes that it projects',
    source: `${GLOBAL}, attribute projections`,
  },
  'index-sparse': {
    rule: 'an item without an attribute of an index’s key is not in the index',
    source: `${GUIDE}/bp-indexes-general-sparse-indexes`,
  },
  'index-follows': {
    rule: 'an index follows every write of its table, at once',
    source: `${GLOBAL}, data synchronization says "eventually"; at once is the soonest of that`,
    isOurChoice: true,
  },
  'index-not-unique': { rule: 'an index may hold several items under one key', source: GLOBAL },
  'index-pages': {
    rule: 'a page of an index ends with the keys of table and index, and misses no item of equal keys',
    source: `${GUIDE}/Query.Pagination`,
  },
  'index-start-key': {
    rule: 'a start key of an index holds the keys of table and index',
    source: api('Query, ExclusiveStartKey'),
  },
  'index-consistent-read': {
    rule: 'a global index takes no consistent reads, and a local one does',
    source: api('Query, ConsistentRead'),
  },
  'index-unknown': {
    rule: 'a read of an index that is not there is refused',
    source: api('Query'),
  },
  'global-index-not-projected': {
    rule: 'a global index refuses what it does not project',
    source: `${GLOBAL}, attribute projections`,
  },
  'local-index-fetches': {
    rule: 'a local index gets from the table what it does not project, for a read of each item',
    source: `${LOCAL}, attribute projections`,
  },
  'index-key-type': {
    rule: 'a write with an index key of another type is refused',
    source: `${GLOBAL}, data synchronization`,
  },
  'index-key-empty': { rule: 'an empty index key is refused', source: api('PutItem') },
  'index-key-size': {
    rule: 'an index key is as short as a table’s',
    limit: '2,048 and 1,024 bytes',
    source: `${GUIDE}/ServiceQuotas, partition keys and sort keys`,
  },
} as const satisfies Rules;
