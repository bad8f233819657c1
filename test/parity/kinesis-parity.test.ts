import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { startChildServer } from './child-server.ts';
import { kinesisAsker } from './kinesis-asker.ts';
import { KINESIS_DIFFERENCES } from './kinesis-differences.ts';
import { KINESIS_QUESTIONS } from './kinesis-questions.ts';
import { ourKinesisAnswers } from './our-kinesis.ts';
import { askAll, differences, expectedOf } from './parity.ts';
import type { Answers } from './parity.ts';

const KINESIS_LOCAL = fileURLToPath(import.meta.resolve('kinesis-local'));
/** Short, so that nobody waits. */
const SETTLE = '20ms';

async function theirs(): Promise<Answers> {
  const server = await startChildServer({
    args: [KINESIS_LOCAL],
    cwd: dirname(KINESIS_LOCAL),
    path: '/healthcheck',
    env: (port, otherPort) => ({
      KINESIS_MOCK_PLAIN_PORT: String(port),
      KINESIS_MOCK_TLS_PORT: String(otherPort),
      SHARD_LIMIT: '10000',
      CREATE_STREAM_DURATION: SETTLE,
      DELETE_STREAM_DURATION: SETTLE,
      SPLIT_SHARD_DURATION: SETTLE,
      MERGE_SHARDS_DURATION: SETTLE,
      UPDATE_SHARD_COUNT_DURATION: SETTLE,
      REGISTER_STREAM_CONSUMER_DURATION: SETTLE,
      LOG_LEVEL: 'ERROR',
    }),
  });
  const asker = kinesisAsker(server.url);
  try {
    return await askAll(KINESIS_QUESTIONS, asker);
  } finally {
    asker.close();
    await server.stop();
  }
}

test('every difference to kinesis-local is explained, and every explained one is there', async () => {
  const found = differences(await ourKinesisAnswers(KINESIS_QUESTIONS), await theirs());
  expect(found).toEqual(expectedOf(KINESIS_DIFFERENCES));
});
