import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { KinesisClient } from '@aws-sdk/client-kinesis';
import { expect, onTestFinished, test } from 'vitest';
import { clientOptions } from '#adapters/aws/client-options';
import { kinesisStreamShards } from '#adapters/kinesis/stream-shards';

const RING = 2n ** 128n;

/** ListShards of a stream of `count` shards in pages of 1,000, and one that is closed. */
async function stream(count: number, fault?: { status: number; body: object }) {
  const asked: object[] = [];
  const shard = (at: number) => ({
    ShardId: `shardId-${at}`,
    HashKeyRange: {
      StartingHashKey: String((RING * BigInt(at)) / BigInt(count)),
      EndingHashKey: String((RING * BigInt(at + 1)) / BigInt(count) - 1n),
    },
    SequenceNumberRange: { StartingSequenceNumber: '1' },
  });
  const closed = {
    ...shard(0),
    SequenceNumberRange: { StartingSequenceNumber: '1', EndingSequenceNumber: '2' },
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString()) as { NextToken?: string };
      asked.push(body);
      const from = Number(body.NextToken ?? 0);
      const all = [closed, ...Array.from({ length: count }, (_, at) => shard(at))];
      const next = from + 1_000;
      const page = {
        Shards: all.slice(from, next),
        ...(next < all.length ? { NextToken: String(next) } : {}),
      };
      response.writeHead(fault?.status ?? 200, { 'content-type': 'application/x-amz-json-1.1' });
      response.end(JSON.stringify(fault?.body ?? page));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const client = new KinesisClient({
    region: 'eu-central-1',
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    credentials: { accessKeyId: 'a', secretAccessKey: 's' },
    ...clientOptions({ requestTimeoutMs: 5_000, concurrency: 1 }),
  });
  onTestFinished(() => {
    client.destroy();
    server.closeAllConnections();
    server.close();
  });
  return { shards: kinesisStreamShards(client, 'penstock-dev-orders'), asked };
}

test('CONS-16: the shards that are open are listed, over pages, the token alone from the second on', async () => {
  const { shards, asked } = await stream(1_266);
  const open = await shards.listOpen();
  expect(open).toHaveLength(1_266);
  expect(open[1]).toEqual({
    shardId: 'shardId-1',
    startingHashKey: RING / 1_266n,
    endingHashKey: (RING * 2n) / 1_266n - 1n,
  });
  expect(asked).toEqual([
    { StreamName: 'penstock-dev-orders', ShardFilter: { Type: 'AT_LATEST' } },
    { NextToken: '1000' },
  ]);
});

test('a stream that may not be listed says so', async () => {
  const body = { __type: 'AccessDeniedException', message: 'not authorized' };
  const { shards } = await stream(1, { status: 400, body });
  await expect(shards.listOpen()).rejects.toMatchObject({
    message:
      'listing the shards of the stream penstock-dev-orders: AccessDeniedException: not authorized',
    retryable: false,
  });
});
