/** The questions that the local cloud and others are asked, put to LocalStack's Kinesis. */
import { beforeEach, expect, inject, test } from 'vitest';
import type { LocalStackPlace } from '#test/clouds/localstack-cloud';
import { kinesisAsker } from '#test/parity/kinesis-asker';
import { KINESIS_DIFFERENCES } from '#test/parity/kinesis-differences';
import { KINESIS_QUESTIONS } from '#test/parity/kinesis-questions';
import { ourKinesisAnswers } from '#test/parity/our-kinesis';
import { askAll, differences } from '#test/parity/parity';
import type { Json } from '#test/parity/parity';

const localstack = inject('localstack');
beforeEach(({ skip }) => {
  if (typeof localstack === 'string') skip(localstack);
});

const ATTEMPTS = 3;
/** Of LocalStack alone, around its kinesis-local; AWS answers as the local cloud does. */
const BY_ITSELF: Readonly<Record<string, string>> = {
  'put-500': 'a large request may time out between LocalStack and its Kinesis: InternalError',
  'put-key-256': 'the same',
  'read-deleted': 'a stream is seen for half a second while it is deleted',
};
/** Their streams fit into the shards that LocalStack gives an account. */
const QUESTIONS_AT_ONCE = 6;

test('LocalStack answers as the local cloud does, but where kinesis-local, which answers for it, does not', async () => {
  const { endpoint } = localstack as LocalStackPlace;
  const asker = kinesisAsker(endpoint, ATTEMPTS);
  const theirs = new Map<string, Json>();
  for (let at = 0; at < KINESIS_QUESTIONS.length; at += QUESTIONS_AT_ONCE) {
    const some = await askAll(KINESIS_QUESTIONS.slice(at, at + QUESTIONS_AT_ONCE), asker);
    for (const [question, answer] of some) theirs.set(question, answer);
    await asker.tidy();
  }
  asker.close();
  const found = differences(await ourKinesisAnswers(KINESIS_QUESTIONS), theirs);
  const explained = new Set([
    ...KINESIS_DIFFERENCES.map(({ question }) => question),
    ...Object.keys(BY_ITSELF),
  ]);
  expect(found.filter(({ question }) => !explained.has(question))).toEqual([]);
});
