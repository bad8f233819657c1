/** What a replay would go through, of a stream that has dropped some of it. */
import type { KinesisClient } from '@aws-sdk/client-kinesis';
import { expect, test } from 'vitest';
import type { Connection } from '#cli/connection';
import { parseRange } from '#cli/replay-ask';
import { scopeOf } from '#cli/replay-plan';

const NOW = Date.UTC(2031, 3, 16, 9);
const OLD = '49590338271490256608559692538361571095921575989136588898';
const OLDEST_LEFT = '49590338271490256608559692538361571095921575989136599999';

/** One shard whose parent has left; its oldest record is another than the one that was asked for. */
function dropped(retentionHours: number): Connection {
  const answers: Readonly<Record<string, object>> = {
    ListShardsCommand: { Shards: [{ ShardId: 'shardId-1', ParentShardId: 'shardId-0' }] },
    DescribeStreamSummaryCommand: {
      StreamDescriptionSummary: { RetentionPeriodHours: retentionHours },
    },
    GetShardIteratorCommand: { ShardIterator: 'it' },
    GetRecordsCommand: { Records: [{ SequenceNumber: OLDEST_LEFT }], MillisBehindLatest: 5 },
  };
  const send = async (command: object) => answers[command.constructor.name];
  return { kinesis: { send } as unknown as KinesisClient } as Connection;
}

const scope = (from: string, hours = 24) => {
  const words = { from };
  const ask = { stream: 'river', words, range: parseRange(words, NOW) };
  return scopeOf(dropped(hours), ask, NOW);
};

test('a time before what the stream keeps, and the shards that are gone with it', async () => {
  const gone = ['shardId-0'];
  expect(await scope('25h')).toMatchObject({ reachesBehind: true, goneShardIds: gone });
  expect(await scope('23h')).toMatchObject({ reachesBehind: false, goneShardIds: [] });
  expect(await scope('25h', 48)).toMatchObject({ reachesBehind: false, goneShardIds: [] });
  expect(await scope('oldest')).toMatchObject({ reachesBehind: false, goneShardIds: gone });
});

test('a record that has left', async () => {
  expect(await scope(OLD)).toMatchObject({ reachesBehind: true, goneShardIds: ['shardId-0'] });
  expect(await scope(OLDEST_LEFT)).toMatchObject({ reachesBehind: false, goneShardIds: [] });
});
