/** Where the local cloud and dynalite 4.0.0 answer differently, and who is right. */
import type { ExplainedDifference } from './parity.ts';

export const DYNAMODB_DIFFERENCES: readonly ExplainedDifference[] = [
  {
    question: 'condition-ordered-boolean',
    ours: [
      {
        error: 'ValidationException',
        message:
          'Invalid ConditionExpression: Incorrect operand type for operator or function; operator or function: <, operand type: BOOL',
      },
    ],
    theirs: [
      { error: 'ConditionalCheckFailedException', message: 'The conditional request failed' },
    ],
    right: 'ours',
    source:
      'amazondynamodb/latest/developerguide/Expressions.OperatorsAndFunctions: <, <=, > and >= take numbers, text and binaries',
  },
  {
    question: 'condition-syntax',
    ours: [
      {
        error: 'ValidationException',
        message: 'Invalid ConditionExpression: Syntax error; token: "<EOF>", near: "AND"',
      },
    ],
    theirs: [
      {
        error: 'ValidationException',
        message:
          'Invalid ConditionExpression: Syntax error; Expected "#", "(", ":", "NOT", "_", or [a-zA-Z] but end of input found.',
      },
    ],
    right: 'ours',
    source:
      'AWS names the token and what is near, as its users quote it; dynalite says what its parser generator says',
  },
  {
    question: 'condition-type-unknown',
    ours: [
      {
        error: 'ValidationException',
        message:
          'Invalid ConditionExpression: Invalid attribute type name found; type: a, valid types: {N,BS,L,B,NULL,M,S,SS,NS,BOOL}',
      },
    ],
    theirs: [
      {
        error: 'ValidationException',
        message:
          'Invalid ConditionExpression: Invalid attribute type name found; type: a, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}',
      },
    ],
    right: 'both',
    source: 'the same types in another order: that of a set, which AWS does not promise',
  },
  {
    question: 'create-short-name',
    ours: {
      error: 'ValidationException',
      message:
        "Invalid table/index name.  Table/index names must be between 3 and 255 characters long, and may contain only the characters a-z, A-Z, 0-9, '_', '-', and '.'",
    },
    theirs: {
      error: 'ValidationException',
      message: 'TableName must be at least 3 characters long and at most 255 characters long',
    },
    right: 'unknown',
    source: 'AWS documents the limits, and no sentence; this one is quoted by its users',
  },
  {
    question: 'get-short-name',
    ours: {
      error: 'ValidationException',
      message:
        "Invalid table/index name.  Table/index names must be between 3 and 255 characters long, and may contain only the characters a-z, A-Z, 0-9, '_', '-', and '.'",
    },
    theirs: {
      error: 'ValidationException',
      message:
        "1 validation error detected: Value 'ab' at 'tableName' failed to satisfy constraint: Member must have length greater than or equal to 3",
    },
    right: 'ours',
    source:
      'DynamoDB API 2012-08-10, TableArn: a name may be an ARN since 2024, and has 1 to 1,024 characters at the front',
  },
  {
    question: 'index-narrow-projection',
    ours: [
      {
        error: 'ValidationException',
        message:
          'One or more parameter values were invalid: Global secondary index narrow does not project [even]',
      },
    ],
    theirs: [
      {
        ScannedCount: 1,
        LastEvaluatedKey: { pk: { S: 'a' }, at: { N: '-12.5' }, g: { S: 'g1' } },
        Count: 1,
        Items: [{}],
      },
    ],
    right: 'ours',
    source:
      'amazondynamodb/latest/developerguide/GSI: a query of a global index gets projected attributes only',
  },
  {
    question: 'query-nothing',
    ours: [
      {
        Items: [],
        Count: 0,
        ScannedCount: 0,
        ConsumedCapacity: { TableName: '#TABLE', CapacityUnits: 0.5 },
      },
    ],
    theirs: [
      {
        ScannedCount: 0,
        Count: 0,
        Items: [],
        ConsumedCapacity: { CapacityUnits: 0, TableName: '#TABLE' },
      },
    ],
    right: 'ours',
    source:
      'amazondynamodb/latest/developerguide/read-write-operations: a read that finds nothing takes capacity too',
  },
  {
    question: 'scan-no-projection',
    ours: [
      {
        error: 'ValidationException',
        message:
          'Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES',
      },
    ],
    theirs: [{ ScannedCount: 1, Count: 1, Items: [{ pk: { S: 'a' } }] }],
    right: 'ours',
    source: 'DynamoDB API 2012-08-10, Scan, Select: SPECIFIC_ATTRIBUTES comes with the names',
  },
  {
    question: 'update-add-text',
    ours: [
      {
        error: 'ValidationException',
        message:
          'Invalid UpdateExpression: Incorrect operand type for operator or function; operator: ADD, operand type: STRING, typeSet: ALLOWED_FOR_ADD_OPERAND',
      },
      { Item: { pk: { S: 'a' } } },
    ],
    theirs: [
      {
        error: 'ValidationException',
        message:
          'Invalid UpdateExpression: Incorrect operand type for operator or function; operator: ADD, operand type: STRING',
      },
      { Item: { pk: { S: 'a' } } },
    ],
    right: 'ours',
    source: 'AWS goes on to name the set of types, as its users quote it',
  },
  {
    question: 'update-delete-number',
    ours: [
      {
        error: 'ValidationException',
        message:
          'Invalid UpdateExpression: Incorrect operand type for operator or function; operator: DELETE, operand type: NUMBER, typeSet: ALLOWED_FOR_DELETE_OPERAND',
      },
      { Item: { pk: { S: 'a' }, x: { N: '1' } } },
    ],
    theirs: [
      {
        error: 'ValidationException',
        message:
          'Invalid UpdateExpression: Incorrect operand type for operator or function; operator: DELETE, operand type: NUMBER',
      },
      { Item: { pk: { S: 'a' }, x: { N: '1' } } },
    ],
    right: 'ours',
    source: 'AWS goes on to name the set of types, as its users quote it',
  },
  {
    question: 'update-list-removal',
    ours: [{ Item: { pk: { S: 'a' }, l: { L: [{ N: '0' }, { N: '2' }] } } }],
    theirs: [{ Item: { pk: { S: 'a' }, l: { L: [{ N: '0' }, { N: '2' }, { N: '3' }] } } }],
    right: 'ours',
    source:
      'amazondynamodb/latest/developerguide/Expressions.UpdateExpressions, REMOVE: indexes are those before the update',
  },
  {
    question: 'update-syntax',
    ours: [
      {
        error: 'ValidationException',
        message: 'Invalid UpdateExpression: Syntax error; token: "<EOF>", near: ","',
      },
      { Item: { pk: { S: 'a' } } },
    ],
    theirs: [
      {
        error: 'ValidationException',
        message:
          'Invalid UpdateExpression: Syntax error; Expected "#", "_", or [a-zA-Z] but end of input found.',
      },
      { Item: { pk: { S: 'a' } } },
    ],
    right: 'ours',
    source:
      'AWS names the token and what is near, as its users quote it; dynalite says what its parser generator says',
  },
  {
    question: 'update-underscore',
    ours: [
      {
        error: 'ValidationException',
        message: 'Invalid UpdateExpression: Syntax error; token: "_", near: "SET _x"',
      },
      { Item: { pk: { S: 'a' } } },
    ],
    theirs: [{ Item: { pk: { S: 'a' }, _x: { N: '1' } } }],
    right: 'ours',
    source:
      'amazondynamodb/latest/developerguide/Expressions.Attributes: a name in the clear begins with a letter',
  },
  {
    question: 'update-wrong-function',
    ours: [
      {
        error: 'ValidationException',
        message:
          'Invalid UpdateExpression: The function is not allowed in an update expression; function: size',
      },
      { Item: { pk: { S: 'a' } } },
    ],
    theirs: [
      {
        error: 'ValidationException',
        message: 'Invalid UpdateExpression: Invalid function name; function: size',
      },
      { Item: { pk: { S: 'a' } } },
    ],
    right: 'ours',
    source: 'AWS knows the function and refuses its place, as its users quote it',
  },
  {
    question: 'value-number-plus',
    ours: [{ Item: { pk: { S: 'a' }, v: { N: '5' } } }],
    theirs: [
      {
        error: 'ValidationException',
        message: 'The parameter cannot be converted to a numeric value: +5',
      },
    ],
    right: 'unknown',
    source:
      'AWS documents no form of numbers in text; Java’s BigDecimal, whose words its refusals have, takes a plus',
  },
  {
    question: 'value-too-deep',
    ours: [
      {
        error: 'ValidationException',
        message:
          'Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit',
      },
    ],
    theirs: [],
    right: 'ours',
    source: 'amazondynamodb/latest/developerguide/ServiceQuotas, nested attribute depth: 32 levels',
  },
];
