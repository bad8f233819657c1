/** Follows every shard of a stream from its oldest record on, and keeps what it has read. */
import type { KinesisClient } from '@aws-sdk/client-kinesis';
import { listShards, openShard } from '#cli/stream-reader';
import type { OpenShard, ReadRecord } from '#cli/stream-reader';

export interface FollowedShard {
  readonly shardId: string;
  /** In the order of the shard. */
  readonly records: readonly ReadRecord[];
}

export interface StreamFollower {
  /** Read on to the tip of every shard. */
  catchUp(): Promise<void>;
  /** Parents before children. */
  shards(): readonly FollowedShard[];
  /** Every record: shard after shard, parents before children. */
  records(): readonly ReadRecord[];
}

interface Place {
  readonly shardId: string;
  readonly records: ReadRecord[];
  readonly shard: OpenShard;
}

export function followStream(client: KinesisClient, stream: string): StreamFollower {
  let places: readonly Place[] = [];

  const findNew = async (): Promise<void> => {
    const known = new Map(places.map((place) => [place.shardId, place]));
    const shards = await listShards(client, stream);
    places = await Promise.all(
      shards.map(async ({ ShardId: shardId = '' }) => {
        const from = { kind: 'trim-horizon' } as const;
        const open = () => openShard(client, { stream, shardId, from });
        return known.get(shardId) ?? { shardId, records: [], shard: await open() };
      }),
    );
  };

  return {
    async catchUp() {
      if (places.length === 0 || places.some(({ shard }) => shard.isReadOut())) {
        await findNew();
      }
      await Promise.all(places.map(readOn));
    },
    shards: () => places,
    records: () => places.flatMap(({ records }) => records),
  };
}

async function readOn({ shard, records }: Place): Promise<void> {
  while (!shard.isReadOut()) {
    const page = await shard.read();
    for (const record of page.records) records.push(record);
    if (page.behindMs === 0) return;
  }
}
