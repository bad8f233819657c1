/** A reader against iterators that grow old, by a clock that is moved by hand. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listShards, openShard } from '#cli/stream-reader';
import type { ReadFrom } from '#cli/stream-reader';
import type { FaultPlan } from '#local/contracts';
import { bytes, openTestKinesis, shardId, text } from '#test/local/emulators/kinesis/kinesis-cloud';
import type { TestKinesis } from '#test/local/emulators/kinesis/kinesis-cloud';

const StreamName = 'orders';
let cloud: TestKinesis;
let faults: FaultPlan = {};
beforeEach(async () => {
  faults = {};
  cloud = await openTestKinesis({ faults: { onRead: (...shard) => faults.onRead?.(...shard) } });
});
afterEach(() => cloud.close());

const create = (ShardCount: number) => cloud.kinesis.createStream({ Name: StreamName, ShardCount });
const put = (word: string) =>
  cloud.client.putRecord({ StreamName, PartitionKey: 'a', Data: bytes(word) });
const open = (from: ReadFrom) =>
  openShard(
    cloud.client,
    { stream: StreamName, shardId: shardId(0), from },
    () => cloud.clock.nowMs,
  );

async function words(shard: Awaited<ReturnType<typeof open>>): Promise<string[]> {
  const { records } = await shard.read();
  return records.map(({ data }) => text(data));
}

test('[CONS-07] an idle reader takes over each new iterator, for longer than any of them lives', async () => {
  create(1);
  const shard = await open({ kind: 'latest' });
  for (let second = 0; second < 301; second++) {
    cloud.clock.nowMs += 1_000;
    expect(await words(shard)).toEqual([]);
  }
  await put('at last');
  expect(await words(shard)).toEqual(['at last']);
});

test.each([
  ['its last record', { kind: 'trim-horizon' }, ['three']],
  ['its last record', { kind: 'latest' }, ['three']],
] as const)(
  '[CONS-08] an iterator that grew too old is renewed after %s, from %o',
  async (_, from, left) => {
    create(1);
    const shard = await open(from);
    await put('one');
    await put('two');
    expect(await words(shard)).toEqual(['one', 'two']);
    cloud.clock.nowMs += 300_001;
    await put('three');
    expect(await words(shard)).toEqual(left);
  },
);

test.each([
  ['trim-horizon', ['before', 'between']],
  ['latest', ['between']],
] as const)(
  '[CONS-08] where nothing was read yet, %s is renewed without a gap',
  async (kind, seen) => {
    create(1);
    await put('before');
    cloud.clock.nowMs += 1_000;
    const shard = await open({ kind });
    cloud.clock.nowMs += 1_000;
    await put('between');
    cloud.clock.nowMs += 300_001;
    expect(await words(shard)).toEqual(seen);
  },
);

test('[CONS-08] an iterator that is refused once costs no record and doubles none', async () => {
  create(1);
  const shard = await open({ kind: 'trim-horizon' });
  await put('one');
  expect(await words(shard)).toEqual(['one']);
  await put('two');
  const commands: 'expire'[] = ['expire'];
  faults = { onRead: () => commands.shift() };
  expect([await words(shard), await words(shard)]).toEqual([['two'], []]);
});

test('[CONS-16] 1,266 shards are listed, the second page by its token alone', async () => {
  create(1_266);
  const shards = await listShards(cloud.client, StreamName);
  expect(new Set(shards.map((shard) => shard.ShardId)).size).toBe(1_266);
});
