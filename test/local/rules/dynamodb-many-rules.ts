/** What DynamoDB does with many items at once, and the local cloud alike. */
import type { Rules } from './rule.ts';

const TRANSACTIONS = 'amazondynamodb/latest/developerguide/transaction-apis';
const ON_COMMAND = 'AWS throttles when it is busy, we when a plan of faults says so';
const api = (operation: string): string => `DynamoDB API 2012-08-10, ${operation}`;

export const MANY_RULES = {
  'batch-write': {
    rule: 'BatchWriteItem puts and deletes in several tables',
    source: api('BatchWriteItem'),
  },
  'batch-write-count': {
    rule: 'BatchWriteItem takes up to 25 requests',
    limit: '25',
    source: api('BatchWriteItem'),
  },
  'batch-write-size': {
    rule: 'BatchWriteItem takes up to 16 MB',
    limit: '16 MB',
    source: api('BatchWriteItem'),
  },
  'batch-write-all-checked': {
    rule: 'a batch with one request that is not valid writes nothing',
    source: api('BatchWriteItem'),
  },
  'batch-duplicates': {
    rule: 'a batch that names a key twice is refused, and nothing is done',
    source: api('BatchWriteItem and BatchGetItem'),
  },
  'batch-unconditional': {
    rule: 'BatchWriteItem takes no conditions',
    source: api('BatchWriteItem'),
  },
  'batch-one-request': {
    rule: 'a request of a batch is one put or one delete',
    source: api('WriteRequest'),
  },
  'batch-get': {
    rule: 'BatchGetItem answers the items that are there',
    source: api('BatchGetItem'),
  },
  'batch-get-count': {
    rule: 'BatchGetItem takes up to 100 keys',
    limit: '100',
    source: api('BatchGetItem'),
  },
  'batch-get-size': {
    rule: 'BatchGetItem answers up to 16 MB, and the keys that are left as they were asked',
    limit: '16 MB',
    source: api('BatchGetItem, UnprocessedKeys'),
  },
  'batch-unprocessed': {
    rule: 'a batch answers what it did not process, to be sent again',
    source: ON_COMMAND,
    isOurChoice: true,
  },
  'batch-nothing-processed': {
    rule: 'a batch of which nothing was processed is refused with ProvisionedThroughputExceededException',
    source: api('BatchWriteItem and BatchGetItem'),
  },
  'batch-capacity': {
    rule: 'a batch sums its capacity by table',
    source: api('BatchWriteItem, ConsumedCapacity'),
  },
  'transaction-all-or-none': {
    rule: 'TransactWriteItems does all of its writes or none',
    source: TRANSACTIONS,
  },
  'transaction-reasons': {
    rule: 'a cancelled transaction gives a reason for each action in order, with the item where that was asked for',
    source: api('TransactionCanceledException'),
  },
  'transaction-validation-reason': {
    rule: 'a write that turns out not to be possible cancels its transaction with ValidationError',
    source: api('TransactionCanceledException'),
  },
  'transaction-actions': {
    rule: 'a transaction puts, updates, deletes and checks, in several tables',
    source: api('TransactWriteItems'),
  },
  'transaction-form': {
    rule: 'a transaction has 1 to 100 actions, each of one kind',
    limit: '100',
    source: api('TransactWriteItems'),
  },
  'transaction-hundred': {
    rule: 'a transaction of 100 actions is done',
    limit: '100',
    source: api('TransactWriteItems'),
  },
  'transaction-same-item': {
    rule: 'a transaction names an item at most once',
    source: TRANSACTIONS,
  },
  'transaction-size': {
    rule: 'the items of a transaction have up to 4 MB',
    limit: '4 MB',
    source: TRANSACTIONS,
  },
  'transaction-token': {
    rule: 'a transaction with a token is done once within ten minutes, and the token fits no other request',
    limit: '10 minutes',
    source: api('TransactWriteItems, ClientRequestToken'),
  },
  'transaction-token-size': {
    rule: 'a token has up to 36 characters',
    limit: '36',
    source: api('TransactWriteItems, ClientRequestToken'),
  },
  'transaction-capacity': {
    rule: 'a transaction takes twice the units, and for a token that comes again those of reading',
    source: `${TRANSACTIONS}, capacity management`,
  },
  'transact-get': {
    rule: 'TransactGetItems answers in the order asked, with nothing for an item that is not there',
    source: api('TransactGetItems'),
  },
  'transaction-throttled': {
    rule: 'a transaction on a table that is throttled is cancelled, and says which action it was',
    source: ON_COMMAND,
    isOurChoice: true,
  },
} as const satisfies Rules;
