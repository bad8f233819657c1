/** What DynamoDB does with tables and requests, and the local cloud alike. */
import type { Rules } from './rule.ts';

const GUIDE = 'amazondynamodb/latest/developerguide';
const QUOTAS = `${GUIDE}/ServiceQuotas`;
const UNITS = `${GUIDE}/read-write-operations`;
const ON_COMMAND = 'AWS throttles when it is busy, we when a plan of faults says so';
const api = (operation: string): string => `DynamoDB API 2012-08-10, ${operation}`;

export const TABLE_RULES = {
  'create-table': {
    rule: 'CreateTable answers CREATING, and the table is there when it has answered',
    source: `${api('CreateTable')} says "asynchronous"; at once is the soonest of that`,
    isOurChoice: true,
  },
  'create-table-twice': {
    rule: 'a table that is there is not created again',
    source: api('CreateTable, ResourceInUseException'),
  },
  'describe-indexes': {
    rule: 'DescribeTable counts the items and bytes of table and indexes',
    source: api('DescribeTable'),
  },
  'billing-mode': {
    rule: 'a table has capacity units exactly when its billing mode is PROVISIONED',
    source: api('CreateTable, BillingMode'),
  },
  'key-schema': {
    rule: 'a key is one HASH attribute and at most one RANGE attribute, defined as S, N or B',
    source: api('CreateTable, KeySchema'),
  },
  'index-schema': {
    rule: 'an index has a name of its own, a key of defined attributes, and a projection',
    source: api('CreateTable, GlobalSecondaryIndexes and LocalSecondaryIndexes'),
  },
  'index-count': {
    rule: 'a table has up to 20 global and 5 local indexes',
    limit: '20 and 5',
    source: `${QUOTAS}, secondary indexes`,
  },
  'projected-names-count': {
    rule: 'an index names up to 20 attributes to project, and all of a table’s 100',
    limit: '20 and 100',
    source: `${QUOTAS}, projected secondary index attributes`,
  },
  'index-from-template': {
    rule: 'a template’s table has its indexes, a GlobalTable’s as well',
    source: 'AWS::DynamoDB::GlobalTable, GlobalSecondaryIndexes',
  },
  'index-of-changed-template': {
    rule: 'an index that a template adds is filled from the items that are there, and one that it drops is gone',
    source: 'AWS::DynamoDB::Table, GlobalSecondaryIndexes',
  },
  'delete-table': {
    rule: 'DeleteTable answers DELETING, and takes the items with it',
    source: api('DeleteTable'),
  },
  'deletion-protection': {
    rule: 'a table that is protected is not deleted',
    source: `${GUIDE}/WorkingWithTables.Basics, deletion protection`,
  },
  'list-tables': {
    rule: 'ListTables answers names in order, up to 100 at a time',
    limit: '100',
    source: api('ListTables'),
  },
  'update-billing': {
    rule: 'UpdateTable changes how a table is paid',
    source: api('UpdateTable, BillingMode'),
  },
  'update-nothing': {
    rule: 'an UpdateTable that changes nothing is refused',
    source: api('UpdateTable'),
  },
  'add-index': {
    rule: 'UpdateTable adds a global index, filled from items whose keys fit, and drops one',
    source: `${GUIDE}/GSI.OnlineOps`,
  },
  'one-index-at-a-time': {
    rule: 'UpdateTable adds or drops one index at a time',
    source: `${GUIDE}/GSI.OnlineOps`,
  },
  'update-index-unknown': {
    rule: 'an update of an index that is not there is refused',
    source: api('UpdateTable, ResourceNotFoundException'),
  },
  'time-to-live-later': {
    rule: 'time to live that is turned on later counts for items that are there',
    source: `${GUIDE}/time-to-live-ttl-how-to`,
  },
  'time-to-live-once': {
    rule: 'UpdateTimeToLive refuses what is so already, and another attribute than the one in use',
    source: api('UpdateTimeToLive'),
  },
  'continuous-backups': {
    rule: 'point-in-time recovery tells from when to when a table could be restored',
    limit: '35 days',
    source: api('DescribeContinuousBackups'),
  },
  tags: { rule: 'a table has up to 50 tags', limit: '50', source: `${GUIDE}/Tagging` },
  'account-limits': {
    rule: 'DescribeLimits and DescribeEndpoints answer an account’s first quotas, and the Region’s endpoint',
    limit: '80,000 and 40,000 units',
    source: `${QUOTAS}, throughput default quotas`,
  },
  'table-streams': {
    rule: 'a table with a stream is refused, naming what there is none of here',
    source: 'nothing here reads DynamoDB Streams, and a stream that nobody fills would be silent',
    isOurChoice: true,
  },
  'table-missing': {
    rule: 'a request on a table that is not there is refused with ResourceNotFoundException',
    source: api('PutItem, ResourceNotFoundException'),
  },
  'table-by-arn': {
    rule: 'a table may be named by its ARN',
    source: api('PutItem, TableName'),
  },
  'table-name': {
    rule: 'a table’s name has 3 to 255 characters of a-z, A-Z, 0-9, _, - and .',
    limit: '3 to 255',
    source: `${GUIDE}/HowItWorks.NamingRulesDataTypes`,
  },
  'checks-before-table': {
    rule: 'values and expressions are checked before the table is looked for',
    source: 'AWS documents no order; this is the one that others observed of it',
    isOurChoice: true,
  },
  'constraint-words': {
    rule: 'a parameter that is missing or not as it must be is named, with the others of its request',
    source: 'Smithy AWS JSON protocols, validation; DynamoDB API 2012-08-10, common errors',
  },
  'parameter-serialization': {
    rule: 'a parameter of another JSON type is a SerializationException',
    source: 'AWS JSON 1.0 protocol',
  },
  'legacy-parameters': {
    rule: 'a parameter from before expressions is refused by its name',
    source: `${GUIDE}/LegacyConditionalParameters: AWS still takes them, and asks not to use them`,
    isOurChoice: true,
  },
  'sdk-errors': {
    rule: 'a refusal reaches the SDK as the exception of its name, with its members',
    source: `${GUIDE}/Programming.Errors`,
  },
  'error-codes': {
    rule: 'an error’s type says whether the service or its front made it',
    source: `${GUIDE}/Programming.Errors`,
  },
  checksum: {
    rule: 'an answer carries its request id and the CRC-32 of its body',
    source: `${GUIDE}/Programming.LowLevelAPI`,
  },
  'capacity-on-request': {
    rule: 'consumed capacity is told to who asks, TOTAL or by INDEXES',
    source: api('ReturnConsumedCapacity'),
  },
  'write-units': {
    rule: 'a write takes a unit for each KB of the larger of the item before and after',
    limit: '1 KB',
    source: UNITS,
  },
  'read-units': {
    rule: 'a read takes a unit for each 4 KB, half of it when it may be old, and one for an item that is not there',
    limit: '4 KB',
    source: UNITS,
  },
  'page-units': {
    rule: 'a page counts the sum of its items, not each by itself',
    limit: '4 KB',
    source: UNITS,
  },
  'index-write-units': {
    rule: 'a write takes units of each index that it changes, two where the index key changes, none where nothing does',
    source: `${GUIDE}/GSI, provisioned throughput considerations`,
  },
  'collection-metrics': {
    rule: 'the size of an item collection is told to who asks, of tables with a local index',
    source: api('ItemCollectionMetrics'),
  },
  throttled: {
    rule: 'a request on a table can be throttled, and changes nothing',
    source: ON_COMMAND,
    isOurChoice: true,
  },
  'lost-answer': {
    rule: 'a request on a table can be left without an answer after its work is done',
    source: 'as a connection that breaks; AWS documents that a write may be done without an answer',
    isOurChoice: true,
  },
} as const satisfies Rules;
