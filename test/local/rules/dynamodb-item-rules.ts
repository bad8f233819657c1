/** What DynamoDB does with one item, and the local cloud alike. */
import type { Rules } from './rule.ts';

const GUIDE = 'amazondynamodb/latest/developerguide';
const QUOTAS = `${GUIDE}/ServiceQuotas`;
const TYPES = `${GUIDE}/HowItWorks.NamingRulesDataTypes`;
const api = (operation: string): string => `DynamoDB API 2012-08-10, ${operation}`;

export const ITEM_RULES = {
  'put-replaces': {
    rule: 'PutItem replaces a whole item',
    source: api('PutItem'),
  },
  'get-missing': {
    rule: 'GetItem answers nothing for an item that is not there',
    source: api('GetItem'),
  },
  'get-projection': {
    rule: 'a projection answers only what it names, in its place',
    source: `${GUIDE}/Expressions.ProjectionExpressions`,
  },
  'update-upserts': {
    rule: 'UpdateItem of an item that is not there creates it with its key',
    source: api('UpdateItem'),
  },
  'delete-missing': {
    rule: 'DeleteItem of an item that is not there succeeds',
    source: api('DeleteItem'),
  },
  'condition-holds-back': {
    rule: 'a write whose condition is not met is refused with ConditionalCheckFailedException, and changes nothing',
    source: `${GUIDE}/Expressions.ConditionExpressions`,
  },
  'condition-failure-shows-old': {
    rule: 'a write that was held back shows the item as it is, when ReturnValuesOnConditionCheckFailure asks for it',
    source: api('UpdateItem, ReturnValuesOnConditionCheckFailure'),
  },
  'condition-without-item': {
    rule: 'to a condition, an item that is not there has no attributes',
    source: `${GUIDE}/Expressions.ConditionExpressions`,
  },
  'update-return-values': {
    rule: 'UpdateItem answers what ReturnValues asks for',
    source: api('UpdateItem, ReturnValues'),
  },
  'updated-values-nested': {
    rule: 'UPDATED_NEW answers of a document only the parts that the update names',
    source: api('UpdateItem, ReturnValues'),
  },
  'whole-return-values': {
    rule: 'PutItem and DeleteItem answer the old item or nothing',
    source: api('PutItem, ReturnValues'),
  },
  'update-of-key': {
    rule: 'an update of a key attribute is refused',
    source: api('UpdateItem'),
  },
  'key-path': {
    rule: 'a path into a key attribute is refused: keys are scalars',
    source: `${GUIDE}/HowItWorks.CoreComponents`,
  },
  'attribute-types': {
    rule: 'a value of each type comes back as it was put',
    source: TYPES,
  },
  'empty-values': {
    rule: 'empty text, binary, lists and maps are stored where they are no keys',
    source: TYPES,
  },
  'number-form': {
    rule: 'numbers are exact, without leading or trailing zeros and without an exponent',
    limit: '38 digits',
    source: `${TYPES}, Number`,
  },
  'number-range': {
    rule: 'a number with more than 38 digits, or out of range, is refused',
    limit: '1E-130 to 9.99…E+125',
    source: `${TYPES}, Number`,
  },
  'number-text': {
    rule: 'what is no number is refused as a number',
    source: `${TYPES}, Number`,
  },
  'sets-not-empty': { rule: 'an empty set is refused', source: `${TYPES}, Sets` },
  'sets-no-duplicates': {
    rule: 'a set that holds a value twice is refused, numbers by their value',
    source: `${TYPES}, Sets`,
  },
  'one-type': { rule: 'a value of no type or of two is refused', source: api('AttributeValue') },
  'null-is-true': { rule: 'a NULL that is not true is refused', source: api('AttributeValue') },
  'value-serialization': {
    rule: 'a value of another JSON type than its own is a SerializationException',
    source: api('AttributeValue'),
  },
  nesting: {
    rule: 'lists and maps are nested up to 32 levels deep',
    limit: '32 levels',
    source: `${QUOTAS}, nested attribute depth`,
  },
  'item-size': {
    rule: 'an item of 400 KB is taken, and of one byte more refused',
    limit: '400 KB',
    source: `${QUOTAS}, item size`,
  },
  'size-arithmetic': {
    rule: 'an item counts its names in UTF-8 and its values by type',
    source: `${GUIDE}/CapacityUnitCalculations, item sizes and formats`,
  },
  'attribute-name-size': {
    rule: 'an attribute name of 64 KB is refused',
    limit: '65,535 bytes',
    source: `${QUOTAS}, attribute names`,
  },
  'any-attribute-name': {
    rule: 'any text is an attribute name',
    source: TYPES,
  },
  'key-in-item': {
    rule: 'an item without a key attribute, or with one of another type, is refused',
    source: api('PutItem'),
  },
  'key-parameter': {
    rule: 'a Key holds exactly the attributes of the table’s key, of their types',
    source: api('GetItem, Key'),
  },
  'key-not-empty': { rule: 'an empty key is refused', source: `${TYPES}, String` },
  'partition-key-size': {
    rule: 'a partition key has up to 2,048 bytes',
    limit: '2,048 bytes',
    source: `${QUOTAS}, partition keys`,
  },
  'sort-key-size': {
    rule: 'a sort key has up to 1,024 bytes',
    limit: '1,024 bytes',
    source: `${QUOTAS}, sort keys`,
  },
  'number-keys-equal': {
    rule: 'keys that are numbers are the same key when they are the same number',
    source: `${TYPES}, Number`,
  },
  'expired-is-deleted': {
    rule: 'an item is deleted some time after the second that its time-to-live attribute holds',
    limit: 'at the next full minute of the clock',
    source: `${GUIDE}/TTL says "within a few days"; a minute can be waited for in a test`,
    isOurChoice: true,
  },
  'expired-is-readable': {
    rule: 'an item whose time is over can be read and written until it is deleted',
    source: `${GUIDE}/ttl-expired-items`,
  },
  'expiry-can-move': {
    rule: 'an update may put off the end of an item, or take it away',
    source: `${GUIDE}/ttl-expired-items`,
  },
  'expiry-is-a-number': {
    rule: 'a time to live that is no number is none',
    source: `${GUIDE}/howitworks-ttl`,
  },
  'expired-long-ago': {
    rule: 'an item that ended more than five years ago is left alone',
    limit: '5 years',
    source: `${GUIDE}/time-to-live-ttl-before-you-start`,
  },
  'expired-leaves-indexes': {
    rule: 'an item that is deleted by its time to live leaves the indexes too',
    source: `${GUIDE}/TTL`,
  },
} as const satisfies Rules;
