/** What is asked of every Kinesis: a few records each, as some makers are slow. */
import { kinesisReadQuestions } from './kinesis-read-questions.ts';
import { kinesisShardQuestions } from './kinesis-shard-questions.ts';
import { kinesisStreamQuestions } from './kinesis-stream-questions.ts';
import { kinesisWriteQuestions } from './kinesis-write-questions.ts';

export const KINESIS_QUESTIONS = [
  ...kinesisWriteQuestions,
  ...kinesisReadQuestions,
  ...kinesisShardQuestions,
  ...kinesisStreamQuestions,
];
