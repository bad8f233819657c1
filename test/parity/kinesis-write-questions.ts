/** Questions about puts. */
import { createHash } from 'node:crypto';
import type { KinesisAsker } from './kinesis-asker.ts';
import type { ParityQuestion } from './parity.ts';

const MIB = 1024 * 1024;
const RING = 2n ** 128n;
const one = (PartitionKey: string, more: { Data?: Uint8Array; ExplicitHashKey?: string } = {}) => ({
  PartitionKey,
  Data: Buffer.from('x'),
  ...more,
});

type Entry = ReturnType<typeof one>;

/** Which shards the entries land in, or the error that refuses them. */
const putting = (
  id: string,
  asks: string,
  entries: readonly Entry[],
  shards = 1,
): ParityQuestion<KinesisAsker> => ({
  id,
  asks,
  async ask({ client, stream }) {
    const { Records = [], FailedRecordCount } = await client.putRecords({
      StreamName: await stream(shards),
      Records: [...entries],
    });
    return { failed: FailedRecordCount ?? null, shards: shardsOf(Records) };
  },
});

function shardsOf(
  records: readonly { ShardId?: string | undefined; ErrorCode?: string | undefined }[],
) {
  const found = records.map(({ ShardId, ErrorCode }) => ErrorCode ?? Number(ShardId?.slice(-12)));
  return found.length > 20 ? [...new Set(found)] : found;
}

export const kinesisWriteQuestions: readonly ParityQuestion<KinesisAsker>[] = [
  putting('put-key-empty', 'a record with an empty partition key', [one('')]),
  putting('put-key-256', 'a partition key of 256 characters of three bytes', [
    one('€'.repeat(256)),
  ]),
  putting('put-key-257', 'a partition key of 257 characters', [one('k'.repeat(257))]),
  putting('put-none', 'a request without records', []),
  putting(
    'put-500',
    'a request of 500 records',
    Array.from({ length: 500 }, () => one('a')),
  ),
  putting(
    'put-501',
    'a request of 501 records',
    Array.from({ length: 501 }, () => one('a')),
  ),
  putting('put-empty-data', 'a record without data', [one('a', { Data: new Uint8Array() })]),
  putting('put-1-mib', 'a record of 1 MiB with its key', [
    one('a', { Data: new Uint8Array(MIB - 1) }),
  ]),
  putting('put-over-1-mib', 'a record of 1 MiB and a byte with its key', [
    one('a', { Data: new Uint8Array(MIB) }),
  ]),
  putting(
    'put-request-over-10-mib',
    'a request of more than 10 MiB',
    [...Array.from({ length: 10 }, () => one('a', { Data: new Uint8Array(MIB - 1) })), one('a')],
    4,
  ),
  putting(
    'put-hash-key-last',
    'the last explicit hash key',
    [one('a', { ExplicitHashKey: String(RING - 1n) })],
    3,
  ),
  ...[String(RING), '-1', '0x10', '007'].map((ExplicitHashKey, index) =>
    putting(
      `put-hash-key-${['above', 'negative', 'hexadecimal', 'zeros'][index]}`,
      `the explicit hash key ${ExplicitHashKey}`,
      [one('a', { ExplicitHashKey })],
    ),
  ),
  putting(
    'put-md5',
    'twenty keys over seven shards',
    Array.from({ length: 20 }, (_, n) => one(createHash('sha1').update(String(n)).digest('hex'))),
    7,
  ),
  {
    id: 'put-records-rate',
    asks: '1,200 records at once into one shard',
    async ask({ client, stream }) {
      const StreamName = await stream(1);
      const Records = Array.from({ length: 400 }, () => one('a'));
      const answers = await Promise.all(
        [1, 2, 3].map(() => client.putRecords({ StreamName, Records })),
      );
      return { throttled: answers.some(({ FailedRecordCount = 0 }) => FailedRecordCount > 0) };
    },
  },
  {
    id: 'put-numbers-rise',
    asks: 'sequence numbers of fifty records of one shard',
    async ask({ put, stream }) {
      const numbers = (await put(await stream(1), ...Array.from({ length: 50 }, String))).map(
        BigInt,
      );
      return {
        rise: numbers.every((number, index) => index === 0 || number > numbers[index - 1]!),
      };
    },
  },
  {
    id: 'put-ordering-future',
    asks: 'SequenceNumberForOrdering 7, which no shard gave out',
    async ask({ client, stream }) {
      await client.putRecord({
        StreamName: await stream(1),
        ...one('a'),
        SequenceNumberForOrdering: '7',
      });
      return 'taken';
    },
  },
  {
    id: 'put-ordering',
    asks: 'a record after the number of the one before',
    async ask({ client, stream }) {
      const StreamName = await stream(1);
      const first = await client.putRecord({ StreamName, ...one('a') });
      const second = await client.putRecord({
        StreamName,
        ...one('a'),
        SequenceNumberForOrdering: first.SequenceNumber,
      });
      return { later: BigInt(second.SequenceNumber!) > BigInt(first.SequenceNumber!) };
    },
  },
  {
    id: 'put-no-stream',
    asks: 'a record for a stream that is not there',
    async ask({ client }) {
      await client.putRecord({ StreamName: 'no-such-stream', ...one('a') });
      return 'taken';
    },
  },
];
