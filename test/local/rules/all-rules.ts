/** Every rule that the local cloud keeps, by service. */
import { DYNAMODB_RULES } from './dynamodb-rules.ts';
import { IAM_RULES } from './iam-rules.ts';
import { KINESIS_RULES } from './kinesis-rules.ts';
import { LAMBDA_RULES } from './lambda-rules.ts';
import { MAPPING_RULES } from './mapping-rules.ts';
import { OBJECTS_RULES } from './objects-rules.ts';
import { QUEUES_RULES } from './queues-rules.ts';
import { SCHEDULER_RULES } from './scheduler-rules.ts';
import { SECRETS_RULES } from './secrets-rules.ts';
import { WIRE_RULES } from './wire-rules.ts';

export const ALL_RULES = {
  kinesis: KINESIS_RULES,
  mapping: MAPPING_RULES,
  dynamodb: DYNAMODB_RULES,
  lambda: LAMBDA_RULES,
  scheduler: SCHEDULER_RULES,
  secrets: SECRETS_RULES,
  objects: OBJECTS_RULES,
  queues: QUEUES_RULES,
  iam: IAM_RULES,
  wire: WIRE_RULES,
} as const;

export type RuledService = keyof typeof ALL_RULES;
