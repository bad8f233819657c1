/** A stream that is given more shards while it is written and read. */
import { UpdateShardCountCommand } from '@aws-sdk/client-kinesis';
import { expect, vi } from 'vitest';
import { listShards } from '#cli/stream-reader';
import type { Deployment } from '#test/clouds/cloud';
import { capabilityTest, cloudTest } from '#test/clouds/cloud-test';
import { faultProxy } from '#test/clouds/fault-proxy';
import { streamRecords } from './read-stream.ts';
import { deployTickets, namesOf, sourceRows, tableRows, WAIT } from './tickets-app.ts';
import { fill, ticketsSource } from './tickets-source.ts';

cloudTest(
  'a stream whose shards are doubled under load loses nothing and keeps order',
  async (cloud) => {
    const source = await ticketsSource();
    fill(source, 0, 300);
    const deployment = await deployTickets(cloud, source);
    const rows = () => tableRows(deployment);
    await vi.waitFor(async () => expect((await rows()).size).toBeGreaterThan(0), WAIT);

    const before = await openShards(deployment);
    await doubleShards(deployment);
    let changes = 300;
    await vi.waitFor(async () => {
      fill(source, (changes += 11), 11);
      expect((await openShards(deployment)).length).toBe(2 * before.length);
    }, WAIT);
    fill(source, 0, 150);
    for (let i = 0; i < 20; i++) source.change(`late-${i}`);
    await vi.waitFor(async () => expect(await rows()).toEqual(sourceRows(source)), WAIT);

    const children = await openShards(deployment);
    expect(children.filter((shard) => before.includes(shard))).toEqual([]);
    const records = await streamRecords(deployment, namesOf(deployment).stream);
    const late = records.filter(({ partitionKey }) => partitionKey.startsWith('late-'));
    expect([...new Set(late.map(({ shardId }) => shardId))].toSorted()).toEqual(children);
    expect(before).toContain(records[0]?.shardId);
    for (const versions of Map.groupBy(records, (record) => record.partitionKey).values()) {
      const revisions = new Set(versions.map(({ data }) => revisionOf(data)));
      expect([...revisions]).toEqual([...revisions].toSorted((a, b) => a - b));
    }
  },
);

capabilityTest(
  'closed-shards-are-read-once',
  'once a shard is closed and read, no record of it is delivered again',
  async (cloud) => {
    const source = await ticketsSource();
    const written: (string | undefined)[] = [];
    const proxy = await faultProxy(({ operation, body }, forward) => {
      if (operation === 'UpdateItem') {
        // A checkpoint has another key.
        const { Key } = body as { Key: { ticket_id?: { S: string } } };
        written.push(Key.ticket_id?.S);
      }
      return forward(body);
    });
    const deployment = await deployTickets(cloud, source, {
      functionEnv: { '-consume-tickets': { AWS_ENDPOINT_URL_DYNAMODB: proxy.url } },
    });
    proxy.pass(deployment.endpoint);
    const arrived = async (id: string) => {
      source.change(id);
      await vi.waitFor(
        async () => expect([...(await tableRows(deployment)).keys()]).toContain(id),
        WAIT,
      );
    };
    await arrived('early');
    const [closed] = await openShards(deployment);
    await doubleShards(deployment);
    await vi.waitFor(async () => expect(await openShards(deployment)).not.toContain(closed), WAIT);
    await arrived('settled');

    written.length = 0;
    for (const id of ['late-1', 'late-2', 'late-3', 'late-4', 'late-5']) await arrived(id);
    expect(
      written.filter((id) => id === 'early'),
      'delivered again',
    ).toEqual([]);
  },
);

async function doubleShards(deployment: Deployment): Promise<void> {
  const command = new UpdateShardCountCommand({
    StreamName: namesOf(deployment).stream,
    TargetShardCount: 2 * (await openShards(deployment)).length,
    ScalingType: 'UNIFORM_SCALING',
  });
  await deployment.connection.kinesis.send(command);
}

/** Ids of the shards that are written to, in the order of their age. */
async function openShards(deployment: Deployment): Promise<readonly string[]> {
  const shards = await listShards(deployment.connection.kinesis, namesOf(deployment).stream);
  return shards
    .filter((shard) => shard.SequenceNumberRange?.EndingSequenceNumber === undefined)
    .map((shard) => shard.ShardId ?? '')
    .toSorted();
}

function revisionOf(data: Uint8Array): number {
  const event = JSON.parse(Buffer.from(data).toString()) as { data: { revision: number } };
  return event.data.revision;
}
