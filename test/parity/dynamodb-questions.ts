/** What is asked of a DynamoDB: of ours, of dynalite, or of one in LocalStack. */
import { ITEM_QUESTIONS } from './dynamodb-item-questions.ts';
import { TABLE_QUESTIONS } from './dynamodb-table-questions.ts';
import type { DynamoQuestion } from './dynamodb-tables.ts';

export const DYNAMODB_QUESTIONS: readonly DynamoQuestion[] = [
  ...ITEM_QUESTIONS,
  ...TABLE_QUESTIONS,
];
