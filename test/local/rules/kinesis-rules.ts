/** What Kinesis Data Streams does, and the local cloud alike. */
import { READING_RULES } from './kinesis-reading-rules.ts';
import { SHARD_RULES } from './kinesis-shards-rules.ts';
import { STREAM_RULES } from './kinesis-streams-rules.ts';
import { WRITING_RULES } from './kinesis-writing-rules.ts';
import type { Rules } from './rule.ts';

export const KINESIS_RULES = {
  ...WRITING_RULES,
  ...READING_RULES,
  ...SHARD_RULES,
  ...STREAM_RULES,
} as const satisfies Rules;
