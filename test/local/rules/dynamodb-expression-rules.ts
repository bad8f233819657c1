/** What DynamoDB makes of expressions, and the local cloud alike. */
import type { Rules } from './rule.ts';

const GUIDE = 'amazondynamodb/latest/developerguide';
const QUOTAS = `${GUIDE}/ServiceQuotas, expression parameters`;
const OPERATORS = `${GUIDE}/Expressions.OperatorsAndFunctions`;
const UPDATES = `${GUIDE}/Expressions.UpdateExpressions`;
const PLACEHOLDERS = `${GUIDE}/Expressions.ExpressionAttributeNames`;
const UNDOCUMENTED = 'AWS documents no sentence; this is the one its users quote';

export const EXPRESSION_RULES = {
  comparison: { rule: 'a comparison that holds is met', source: OPERATORS },
  'comparison-of-types': {
    rule: 'values of different types are different, and in no order',
    source: OPERATORS,
  },
  'missing-differs': {
    rule: 'an attribute that is not there is different from everything and compares with nothing',
    source: OPERATORS,
  },
  'condition-functions': {
    rule: 'a function tells what it says of an attribute',
    source: OPERATORS,
  },
  size: {
    rule: 'size counts characters, bytes or members, and numbers have none',
    source: `${OPERATORS}, size`,
  },
  'document-paths': {
    rule: 'a document path leads into maps and lists, or nowhere',
    source: `${GUIDE}/Expressions.Attributes`,
  },
  precedence: {
    rule: 'NOT binds more than AND, and AND more than OR',
    source: `${OPERATORS}, precedence`,
  },
  'keywords-any-case': {
    rule: 'keywords are written in any case of letters, and functions in small ones',
    source: `${OPERATORS}; ${UPDATES}`,
  },
  'conditions-mean-what-they-say': {
    rule: 'a condition, however it is spaced and parenthesized, is met when a slow reading of it is',
    source: OPERATORS,
  },
  'junk-is-refused': {
    rule: 'whatever is no expression is a ValidationException',
    source: 'DynamoDB API 2012-08-10, common errors',
  },
  'syntax-error': {
    rule: 'a syntax error names the token, and quotes what is near',
    source: UNDOCUMENTED,
    isOurChoice: true,
  },
  'redundant-parentheses': {
    rule: 'a second pair of parentheses around one thing is refused',
    source: UNDOCUMENTED,
    isOurChoice: true,
  },
  'reserved-words': {
    rule: 'a reserved word is no name, in any case of letters',
    limit: '573 words',
    source: `${GUIDE}/ReservedWords`,
  },
  'function-form': {
    rule: 'a function that is unknown, misplaced or has the wrong operands is refused',
    source: `${OPERATORS}; ${UPDATES}`,
  },
  'operand-type': {
    rule: 'a value of a type that an operator never takes is refused before any item is read',
    source: OPERATORS,
  },
  'attribute-type-name': {
    rule: 'attribute_type takes the name of a type',
    source: `${OPERATORS}, attribute_type`,
  },
  'distinct-operands': {
    rule: 'an attribute is not held against itself',
    source: UNDOCUMENTED,
    isOurChoice: true,
  },
  'between-bounds': {
    rule: 'the bounds of BETWEEN are of one type and in order',
    source: UNDOCUMENTED,
    isOurChoice: true,
  },
  'update-reads-before': {
    rule: 'every operand of an update is read from the item as it was before',
    source: UPDATES,
  },
  'if-not-exists': {
    rule: 'if_not_exists keeps what is there',
    source: `${UPDATES}, if_not_exists`,
  },
  'list-append': {
    rule: 'list_append joins two lists in their order',
    source: `${UPDATES}, list_append`,
  },
  'set-beyond-list': {
    rule: 'SET beyond the end of a list appends, in the order of the indexes',
    source: `${UPDATES}, SET`,
  },
  'remove-closes-list': {
    rule: 'REMOVE of list elements closes the gap, by the indexes as they were',
    source: `${UPDATES}, REMOVE`,
  },
  'remove-missing': {
    rule: 'REMOVE of an attribute that is not there does nothing',
    source: UPDATES,
  },
  'nested-update': {
    rule: 'an update goes into what is nested, and leaves the rest',
    source: UPDATES,
  },
  'invalid-update-path': {
    rule: 'an update of a path that does not lead there is refused',
    source: 'DynamoDB API 2012-08-10, TransactionCanceledException, validation errors',
  },
  'set-from-missing': {
    rule: 'SET from an attribute that is not there is refused',
    source: 'DynamoDB API 2012-08-10, TransactionCanceledException, validation errors',
  },
  'add-number': {
    rule: 'ADD adds to a number, and to none as to zero',
    source: `${UPDATES}, ADD`,
  },
  'add-to-set': { rule: 'ADD adds to a set what it does not hold', source: `${UPDATES}, ADD` },
  'delete-from-set': {
    rule: 'DELETE takes from a set, and with its last member the attribute',
    source: `${UPDATES}, DELETE`,
  },
  'update-operand-of-item': {
    rule: 'an update that meets an attribute of the wrong type is refused',
    source: 'DynamoDB API 2012-08-10, TransactionCanceledException, validation errors',
  },
  'update-operand-type': {
    rule: 'an update with a value of the wrong type is refused before any item is read',
    source: UPDATES,
  },
  'overlapping-paths': {
    rule: 'two paths of an update that overlap or conflict are refused',
    source: UPDATES,
  },
  'section-once': {
    rule: 'each of SET, REMOVE, ADD and DELETE comes at most once',
    source: UPDATES,
  },
  'section-names-any-case': {
    rule: 'SET, REMOVE, ADD and DELETE are written in any case of letters',
    source: UPDATES,
  },
  'list-index-range': {
    rule: 'a list index beyond 2³¹ − 1 is refused',
    limit: '2,147,483,647',
    source: UNDOCUMENTED,
    isOurChoice: true,
  },
  'sum-too-long': {
    rule: 'a sum with more than 38 digits, or out of range, is refused',
    limit: '38 digits',
    source: `${GUIDE}/HowItWorks.NamingRulesDataTypes, Number`,
  },
  'placeholder-undefined': {
    rule: 'a name or value that an expression uses and the request lacks is refused',
    source: PLACEHOLDERS,
  },
  'placeholder-unused': {
    rule: 'a name or value that no expression uses is refused',
    source: PLACEHOLDERS,
  },
  'placeholder-without-expression': {
    rule: 'names and values without an expression are refused',
    source: PLACEHOLDERS,
  },
  'placeholder-form': {
    rule: 'names begin with # and values with :, and are letters, digits and underscores',
    limit: '255 bytes',
    source: `${PLACEHOLDERS}; ${QUOTAS}`,
  },
  'placeholders-size': {
    rule: 'all names and values of a request hold up to 2 MB',
    limit: '2 MB',
    source: QUOTAS,
  },
  'expression-size': {
    rule: 'an expression has up to 4 KB',
    limit: '4,096 bytes',
    source: QUOTAS,
  },
  'expression-empty': { rule: 'an empty expression is refused', source: QUOTAS },
  'operator-count': {
    rule: 'an expression has up to 300 operators and functions; parentheses do not count',
    limit: '300',
    source: QUOTAS,
  },
  'in-operands': {
    rule: 'IN takes up to 100 operands',
    limit: '100',
    source: QUOTAS,
  },
  'path-depth': {
    rule: 'a document path has up to 32 elements',
    limit: '32',
    source: `${GUIDE}/ServiceQuotas, nested attribute depth`,
  },
} as const satisfies Rules;
