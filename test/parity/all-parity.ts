/** Every comparison with another maker, as the page of differences tells it. */
import { DYNAMODB_DIFFERENCES } from './dynamodb-differences.ts';
import { DYNAMODB_QUESTIONS } from './dynamodb-questions.ts';
import { KINESIS_DIFFERENCES } from './kinesis-differences.ts';
import { KINESIS_QUESTIONS } from './kinesis-questions.ts';
import type { ExplainedDifference, ParityQuestion } from './parity.ts';

export interface Comparison {
  readonly service: string;
  /** The other maker, with its version. */
  readonly other: string;
  /** Only what they ask, not how. */
  readonly questions: readonly Pick<ParityQuestion<never>, 'id' | 'asks'>[];
  readonly differences: readonly ExplainedDifference[];
}

export const COMPARISONS: readonly Comparison[] = [
  {
    service: 'Kinesis Data Streams',
    other: 'kinesis-local 0.6.2',
    questions: KINESIS_QUESTIONS,
    differences: KINESIS_DIFFERENCES,
  },
  {
    service: 'DynamoDB',
    other: 'dynalite 4.0.0',
    questions: DYNAMODB_QUESTIONS,
    differences: DYNAMODB_DIFFERENCES,
  },
];
