/** Questions about iterators and reads. */
import { FIRST } from './kinesis-asker.ts';
import type { KinesisAsker } from './kinesis-asker.ts';
import type { ParityQuestion } from './parity.ts';

const MIDDLE = String(2n ** 127n);

/** A stream of one shard with three records, which is then split. */
async function splitStream({ client, put, settled, stream }: KinesisAsker) {
  const StreamName = await stream(1);
  const numbers = await put(StreamName, 'one', 'two', 'three');
  await client.splitShard({ StreamName, ShardToSplit: FIRST, NewStartingHashKey: MIDDLE });
  await settled(StreamName);
  return { StreamName, numbers };
}

/** Reads from a place of a stream with three records. */
const readingFrom = (
  id: string,
  asks: string,
  from: (asker: KinesisAsker, stream: string, numbers: readonly string[]) => Promise<string>,
): ParityQuestion<KinesisAsker> => ({
  id,
  asks,
  async ask(asker) {
    const stream = await asker.stream(1);
    const numbers = await asker.put(stream, 'one', 'two', 'three');
    return await asker.read(await from(asker, stream, numbers));
  },
});

async function rangeOf({ client }: KinesisAsker, StreamName: string) {
  const { Shards = [] } = await client.listShards({ StreamName });
  const { StartingSequenceNumber = '', EndingSequenceNumber = '' } =
    Shards[0]?.SequenceNumberRange ?? {};
  return { StartingSequenceNumber, EndingSequenceNumber };
}

export const kinesisReadQuestions: readonly ParityQuestion<KinesisAsker>[] = [
  readingFrom('from-trim-horizon', 'TRIM_HORIZON', ({ iterator }, stream) =>
    iterator(stream, 'TRIM_HORIZON'),
  ),
  readingFrom('from-latest', 'LATEST', ({ iterator }, stream) => iterator(stream, 'LATEST')),
  readingFrom(
    'from-at-number',
    'AT_SEQUENCE_NUMBER of the second record',
    ({ iterator }, stream, numbers) =>
      iterator(stream, 'AT_SEQUENCE_NUMBER', { StartingSequenceNumber: numbers[1]! }),
  ),
  readingFrom(
    'from-after-number',
    'AFTER_SEQUENCE_NUMBER of the second record',
    ({ iterator }, stream, numbers) =>
      iterator(stream, 'AFTER_SEQUENCE_NUMBER', { StartingSequenceNumber: numbers[1]! }),
  ),
  readingFrom(
    'from-start-number',
    "AT_SEQUENCE_NUMBER of the shard's own start",
    async (asker, stream) => {
      const { StartingSequenceNumber } = await rangeOf(asker, stream);
      return asker.iterator(stream, 'AT_SEQUENCE_NUMBER', { StartingSequenceNumber });
    },
  ),
  readingFrom(
    'from-timestamp-before',
    'AT_TIMESTAMP long before everything',
    ({ iterator }, stream) => iterator(stream, 'AT_TIMESTAMP', { Timestamp: new Date(1_000) }),
  ),
  readingFrom('from-timestamp-future', 'AT_TIMESTAMP a day ahead', ({ iterator }, stream) =>
    iterator(stream, 'AT_TIMESTAMP', { Timestamp: new Date(Date.now() + 86_400_000) }),
  ),
  readingFrom(
    'from-number-missing',
    'AT_SEQUENCE_NUMBER without a number',
    ({ iterator }, stream) => iterator(stream, 'AT_SEQUENCE_NUMBER'),
  ),
  readingFrom('from-timestamp-missing', 'AT_TIMESTAMP without a time', ({ iterator }, stream) =>
    iterator(stream, 'AT_TIMESTAMP'),
  ),
  readingFrom(
    'from-number-superfluous',
    'TRIM_HORIZON with a number',
    ({ iterator }, stream, numbers) =>
      iterator(stream, 'TRIM_HORIZON', { StartingSequenceNumber: numbers[1]! }),
  ),
  readingFrom('from-number-foreign', 'AFTER_SEQUENCE_NUMBER 7', ({ iterator }, stream) =>
    iterator(stream, 'AFTER_SEQUENCE_NUMBER', { StartingSequenceNumber: '7' }),
  ),
  readingFrom('from-no-shard', 'an iterator of a shard that is not there', ({ iterator }, stream) =>
    iterator(stream, 'LATEST', { ShardId: 'shardId-000000000009' }),
  ),
  readingFrom('from-garbage', 'a read with what is no iterator', async () => 'AAAA'),
  {
    id: 'read-limit',
    asks: 'a read of one record at most',
    async ask({ client, iterator, put, stream }) {
      const StreamName = await stream(1);
      await put(StreamName, 'one', 'two');
      const ShardIterator = await iterator(StreamName, 'TRIM_HORIZON');
      const { Records = [] } = await client.getRecords({ ShardIterator, Limit: 1 });
      return Records.length;
    },
  },
  ...[0, 10_001].map((Limit) => ({
    id: `read-limit-${Limit}`,
    asks: `a read of ${Limit} records`,
    async ask({ client, iterator, stream }: KinesisAsker) {
      const ShardIterator = await iterator(await stream(1), 'TRIM_HORIZON');
      await client.getRecords({ ShardIterator, Limit });
      return 'taken';
    },
  })),
  {
    id: 'read-once',
    asks: 'two reads after each other',
    async ask({ client, iterator, put, read, stream }) {
      const StreamName = await stream(1);
      await put(StreamName, 'one');
      const ShardIterator = await iterator(StreamName, 'TRIM_HORIZON');
      const first = await client.getRecords({ ShardIterator });
      return [first.Records?.length ?? 0, await read(first.NextShardIterator ?? '')];
    },
  },
  {
    id: 'read-six-times',
    asks: 'six reads of one shard at once',
    async ask({ client, iterator, stream }) {
      const ShardIterator = await iterator(await stream(1), 'TRIM_HORIZON');
      const answers = await Promise.allSettled(
        Array.from({ length: 6 }, () => client.getRecords({ ShardIterator })),
      );
      return answers.flatMap((one) =>
        one.status === 'rejected' ? [(one.reason as Error).name] : [],
      );
    },
  },
  {
    id: 'read-end',
    asks: 'the last read of a closed shard',
    async ask(asker) {
      const { StreamName } = await splitStream(asker);
      const ShardIterator = await asker.iterator(StreamName, 'TRIM_HORIZON');
      const first = await asker.client.getRecords({ ShardIterator, Limit: 2 });
      const last = await asker.client.getRecords({ ShardIterator: first.NextShardIterator });
      return {
        first: [first.Records?.length ?? 0, typeof first.NextShardIterator],
        last: [last.Records?.length ?? 0, typeof last.NextShardIterator],
        children: last.ChildShards?.map(({ ShardId = '' }) => ShardId) ?? null,
      };
    },
  },
  {
    id: 'read-end-latest',
    asks: 'LATEST of a closed shard',
    async ask(asker) {
      const { StreamName } = await splitStream(asker);
      const ShardIterator = await asker.iterator(StreamName, 'LATEST');
      const { Records = [], NextShardIterator } = await asker.client.getRecords({ ShardIterator });
      return [Records.length, typeof NextShardIterator];
    },
  },
  {
    id: 'read-end-number',
    asks: 'AFTER_SEQUENCE_NUMBER of the ending number of a closed shard',
    async ask(asker) {
      const { StreamName } = await splitStream(asker);
      const { EndingSequenceNumber } = await rangeOf(asker, StreamName);
      const ShardIterator = await asker.iterator(StreamName, 'AFTER_SEQUENCE_NUMBER', {
        StartingSequenceNumber: EndingSequenceNumber,
      });
      const { Records = [], NextShardIterator } = await asker.client.getRecords({ ShardIterator });
      return [Records.length, typeof NextShardIterator];
    },
  },
  {
    id: 'read-child-after-parent',
    asks: "whether a child's numbers lie above its parent's",
    async ask(asker) {
      const { StreamName, numbers } = await splitStream(asker);
      const { Shards = [] } = await asker.client.listShards({ StreamName });
      const starts = Shards.slice(1).map(({ SequenceNumberRange }) =>
        BigInt(SequenceNumberRange?.StartingSequenceNumber ?? 0),
      );
      return starts.every((start) => numbers.every((number) => start > BigInt(number)));
    },
  },
  {
    id: 'read-deleted',
    asks: 'a read with an iterator of a deleted stream',
    async ask({ iterator, read, remove, stream }) {
      const StreamName = await stream(1);
      const ShardIterator = await iterator(StreamName, 'LATEST');
      await remove(StreamName);
      return await read(ShardIterator);
    },
  },
];
