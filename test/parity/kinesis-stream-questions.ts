/** Questions about streams. */
import type { KinesisAsker } from './kinesis-asker.ts';
import type { Json, ParityQuestion } from './parity.ts';
import { taking } from './taking.ts';

async function tagsOf({ client }: KinesisAsker, StreamName: string): Promise<Json> {
  const { Tags = [] } = await client.listTagsForStream({ StreamName });
  return Tags.map(({ Key, Value }) => `${Key}=${Value}`);
}

export const kinesisStreamQuestions: readonly ParityQuestion<KinesisAsker>[] = [
  taking('create-taken', 'a name that is taken', ({ client }, StreamName) =>
    client.createStream({ StreamName, ShardCount: 1 }),
  ),
  taking('create-spaces', 'a name with a space', ({ client }) =>
    client.createStream({ StreamName: 'no spaces', ShardCount: 1 }),
  ),
  taking('create-no-shards', 'a stream of no shards', ({ client }, stream) =>
    client.createStream({ StreamName: `${stream}-0`, ShardCount: 0 }),
  ),
  taking('describe-nothing', 'a description without a name', ({ client }) =>
    client.describeStreamSummary({}),
  ),
  taking('retention-shorter', 'an increase of the retention to less', ({ client }, StreamName) =>
    client.increaseStreamRetentionPeriod({ StreamName, RetentionPeriodHours: 23 }),
  ),
  taking('retention-year', 'a retention of 8,761 hours', ({ client }, StreamName) =>
    client.increaseStreamRetentionPeriod({ StreamName, RetentionPeriodHours: 8_761 }),
  ),
  taking('retention-same', 'a decrease of the retention to what it is', ({ client }, StreamName) =>
    client.decreaseStreamRetentionPeriod({ StreamName, RetentionPeriodHours: 24 }),
  ),
  taking('tag-aws', 'a tag that begins with aws:', ({ client }, StreamName) =>
    client.addTagsToStream({ StreamName, Tags: { 'aws:x': '1' } }),
  ),
  taking('tag-51', '51 tags', ({ client }, StreamName) =>
    client.addTagsToStream({
      StreamName,
      Tags: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`key-${n}`, ''])),
    }),
  ),
  {
    id: 'tags',
    asks: 'tags that were added, replaced and removed',
    async ask(asker) {
      const StreamName = await asker.stream(1);
      await asker.client.addTagsToStream({ StreamName, Tags: { b: '1', a: '2' } });
      await asker.client.addTagsToStream({ StreamName, Tags: { b: '3', c: '4' } });
      await asker.client.removeTagsFromStream({ StreamName, TagKeys: ['a'] });
      return tagsOf(asker, StreamName);
    },
  },
  {
    id: 'consumer-twice',
    asks: 'a consumer registered twice',
    async ask({ client, stream }) {
      const { StreamDescriptionSummary } = await client.describeStreamSummary({
        StreamName: await stream(1),
      });
      const consumer = { StreamARN: StreamDescriptionSummary?.StreamARN, ConsumerName: 'fast' };
      await client.registerStreamConsumer(consumer);
      await client.registerStreamConsumer(consumer);
      return 'taken';
    },
  },
  {
    id: 'delete-with-consumer',
    asks: 'a stream with a consumer deleted without EnforceConsumerDeletion',
    async ask({ client, stream }) {
      const StreamName = await stream(1);
      const { StreamDescriptionSummary } = await client.describeStreamSummary({ StreamName });
      await client.registerStreamConsumer({
        StreamARN: StreamDescriptionSummary?.StreamARN,
        ConsumerName: 'fast',
      });
      await client.deleteStream({ StreamName });
      return 'taken';
    },
  },
  {
    id: 'summary',
    asks: 'the summary of a new stream',
    async ask({ client, stream }) {
      const { StreamDescriptionSummary: found } = await client.describeStreamSummary({
        StreamName: await stream(2),
      });
      return {
        status: found?.StreamStatus ?? null,
        mode: found?.StreamModeDetails?.StreamMode ?? null,
        hours: found?.RetentionPeriodHours ?? null,
        shards: found?.OpenShardCount ?? null,
        consumers: found?.ConsumerCount ?? null,
        encryption: found?.EncryptionType ?? null,
        recordKib: found?.MaxRecordSizeInKiB ?? null,
      };
    },
  },
];
