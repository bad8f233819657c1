/** What DynamoDB does, and the local cloud alike. */
import { EXPRESSION_RULES } from './dynamodb-expression-rules.ts';
import { ITEM_RULES } from './dynamodb-item-rules.ts';
import { MANY_RULES } from './dynamodb-many-rules.ts';
import { READ_RULES } from './dynamodb-read-rules.ts';
import { TABLE_RULES } from './dynamodb-table-rules.ts';
import type { Rules } from './rule.ts';

export const DYNAMODB_RULES = {
  ...ITEM_RULES,
  ...EXPRESSION_RULES,
  ...READ_RULES,
  ...MANY_RULES,
  ...TABLE_RULES,
} as const satisfies Rules;
