import type { KinesisClient } from '@aws-sdk/client-kinesis';
import { expect, test } from 'vitest';
import { listShards } from '#cli/stream-reader';

/** A stream of many shards that answers in pages, as ListShards does. */
function streamOf(shardCount: number, pageSize: number) {
  const asked: object[] = [];
  const send = async ({ input }: { input: { NextToken?: string } }) => {
    asked.push(input);
    const from = Number(input.NextToken ?? 0);
    const Shards = Array.from({ length: Math.min(pageSize, shardCount - from) }, (_, at) => ({
      ShardId: `shardId-${String(from + at).padStart(12, '0')}`,
    }));
    const next = from + pageSize;
    return { Shards, ...(next < shardCount ? { NextToken: String(next) } : {}) };
  };
  return { client: { send } as unknown as KinesisClient, asked };
}

test('CLI-12: all of 1,001 shards are listed', async () => {
  const { client } = streamOf(1_001, 1_000);
  const shards = await listShards(client, 'a-stream');
  expect(new Set(shards.map(({ ShardId }) => ShardId)).size).toBe(1_001);
});

test('the name of the stream is not repeated beside a token, which AWS refuses', async () => {
  const { client, asked } = streamOf(25, 10);
  await listShards(client, 'a-stream');
  expect(asked).toEqual([
    { StreamName: 'a-stream', MaxResults: 1_000 },
    { NextToken: '10', MaxResults: 1_000 },
    { NextToken: '20', MaxResults: 1_000 },
  ]);
});
