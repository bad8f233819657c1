import { expect, test } from 'vitest';
import type { OutgoingRecord, PartitionKey } from '#core/record/records';
import { shardPacer } from '#pipeline/pacer';
import { publish } from '#pipeline/publish';
import type { SizedRecord } from '#pipeline/publish';
import { diceOf } from '#test/simulation/dice';
import { FAULTLESS, simulatedStream } from '#test/simulation/publish/simulated-stream';
import { virtualTime } from '#test/simulation/virtual-time';

const START_MS = 1_900_000_000_000;

function world({ shards = 4, faults = FAULTLESS } = {}) {
  const time = virtualTime(START_MS);
  const dice = diceOf(11);
  const stream = simulatedStream({ shards, recordsPerSec: 1_000, faults }, time, dice);
  const events: { readonly event: string }[] = [];
  const common = {
    clock: time,
    chance: dice.roll,
    report: (event: { readonly event: string }) => void events.push(event),
  };
  const pacer = shardPacer(
    { pipeline: 'orders' },
    { shards: stream, hashKey: stream.hashKey, ...common },
  );
  const all = { ...common, writer: stream, mayPut: async () => 'granted' as const };
  return { time, stream, events, pacer, all };
}

const recordOf = (key: string): SizedRecord => {
  const partitionKey = key as PartitionKey;
  return { partitionKey, bytes: 500, record: { partitionKey, data: new Uint8Array(1) } };
};

const shareThrottled = (requests: readonly (readonly OutgoingRecord[])[], written: number) => {
  const sent = requests.flat().length;
  return (sent - written) / sent;
};

test('steady overload ends in smooth pacing: few entries are throttled, where a naive loop throttles most', async () => {
  const keys = Array.from({ length: 60_000 }, (_, at) => recordOf(`k${at}`));
  const paced = world({ shards: 1 });
  const result = await paced.time.run(
    publish(keys, { pipeline: 'orders' }, { ...paced.all, pacer: paced.pacer }),
  );
  expect(result).toMatchObject({ kind: 'published', confirmed: 60_000 });
  expect(shareThrottled(paced.stream.requests, 60_000)).toBeLessThanOrEqual(0.05);
  expect((paced.time.nowMs() - START_MS) / 1_000).toBeLessThan(75);

  const naive = world({ shards: 1 });
  await naive.time.run(publish(keys, { pipeline: 'orders' }, naive.all));
  expect(shareThrottled(naive.stream.requests, 60_000)).toBeGreaterThan(0.5);
});

test('a hot shard slows only its own keys', async () => {
  const { time, stream, pacer, all } = world();
  const placeOf = (key: string) => stream.hashKey(key) >> 126n;
  const names = Array.from({ length: 20_000 }, (_, at) => `k${at}`);
  const hot = names.filter((key) => placeOf(key) === 0n).slice(0, 4_000);
  const cool = names.filter((key) => placeOf(key) !== 0n).slice(0, 2_000);
  const mixed = hot.flatMap((key, at) => (at < 2_000 ? [key, cool[at] ?? ''] : [key]));
  const doneMs = new Map<string, number>();
  const put: typeof stream.put = async (records, signal) => {
    const outcomes = await stream.put(records, signal);
    for (const [at, { kind }] of outcomes.entries()) {
      if (kind === 'written') doneMs.set(records[at]?.partitionKey ?? '', time.nowMs());
    }
    return outcomes;
  };
  await time.run(
    publish(
      mixed.map(recordOf),
      { pipeline: 'orders', requestsInFlight: 2 },
      { ...all, writer: { put }, pacer },
    ),
  );
  const last = (keys: readonly string[]) => Math.max(...keys.map((key) => doneMs.get(key) ?? 0));
  expect(last(hot) - START_MS).toBeGreaterThan(3_000);
  expect(last(cool) - START_MS).toBeLessThan(1_500);
});

test('nothing is asked of the stream’s shards until an entry is throttled, and each is told of once', async () => {
  const well = world();
  let listings = 0;
  const listed = { listOpen: () => (listings++, well.stream.listOpen()) };
  const pacer = shardPacer(
    { pipeline: 'orders' },
    { shards: listed, hashKey: well.stream.hashKey, clock: well.time, report: well.all.report },
  );
  const few = Array.from({ length: 400 }, (_, at) => recordOf(`k${at}`));
  await well.time.run(publish(few, { pipeline: 'orders' }, { ...well.all, pacer }));
  expect([listings, well.events]).toEqual([0, []]);
  const many = Array.from({ length: 12_000 }, (_, at) => recordOf(`m${at}`));
  await well.time.run(publish(many, { pipeline: 'orders' }, { ...well.all, pacer }));
  expect(listings).toBe(1);
  const paced = well.events.filter(({ event }) => event === 'ShardPaced');
  expect(paced).toHaveLength(4);
});

test('a stream that may not be listed is written to all the same, and that is said', async () => {
  const { time, events, pacer, all } = world({
    shards: 1,
    faults: { ...FAULTLESS, listingFails: 1 },
  });
  const keys = Array.from({ length: 2_500 }, (_, at) => recordOf(`k${at}`));
  const result = await time.run(publish(keys, { pipeline: 'orders' }, { ...all, pacer }));
  expect(result).toMatchObject({ kind: 'published', confirmed: 2_500 });
  expect(events).toContainEqual({
    event: 'ShardsUnknown',
    pipeline: 'orders',
    error: 'Error: the stream may not be listed',
  });
});

test('after a split the halves have paces of their own', async () => {
  const { time, stream, events, pacer, all } = world({
    shards: 1,
    faults: { ...FAULTLESS, reshards: 12 },
  });
  const keys = Array.from({ length: 30_000 }, (_, at) => recordOf(`k${at}`));
  const result = await time.run(publish(keys, { pipeline: 'orders' }, { ...all, pacer }));
  expect(result).toMatchObject({ kind: 'published', confirmed: 30_000 });
  expect(stream.happened.get('split')).toBeGreaterThan(0);
  const shards = new Set(
    events.map((event) => JSON.stringify(event)).filter((text) => text.includes('ShardPaced')),
  );
  expect(shards.size).toBeGreaterThan(1);
});

test('a shard that an earlier work left waiting does not hurry the next', async () => {
  const { time, stream, pacer, all } = world({ shards: 2 });
  let puts = 0;
  const mayPut = async () => (++puts > 40 ? ('lease-lost' as const) : ('granted' as const));
  const many = Array.from({ length: 60_000 }, (_, at) => recordOf(`k${at}`));
  const first = await time.run(publish(many, { pipeline: 'orders' }, { ...all, mayPut, pacer }));
  expect(first.kind).toBe('lease-lost');
  await time.run(time.sleep(5_000));

  let sleeps = 0;
  const clock = { ...time, sleep: (ms: number) => (sleeps++, time.sleep(ms)) };
  const writer = {
    put: async (...ask: Parameters<typeof stream.put>) => {
      await time.sleep(4_000);
      return stream.put(...ask);
    },
  };
  const options = { pipeline: 'orders', requestsInFlight: 2 };
  const last = publish([recordOf('other')], options, { ...all, writer, clock, pacer });
  expect((await time.run(last)).kind).toBe('published');
  expect(sleeps).toBeLessThanOrEqual(1);
});
