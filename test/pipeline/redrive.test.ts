/** What quarantine holds goes to its consumer again: nothing is lost, whatever breaks off. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memoryKeptRecords } from '#adapters/memory/kept-records';
import type { SequenceNumber, StoredRecord } from '#core/record/records';
import { redrive } from '#pipeline/redrive';
import type { RedrivePorts } from '#pipeline/redrive';
import { consumeWorld, eventOf, FOREVER_MS, recordOf, transient } from './consume-world.ts';

const SIGNAL = new AbortController().signal;
const OPTIONS = {
  recordsMax: 3,
  bytesMax: 100_000,
  recordsPerSec: 1_000,
  triesMax: 2,
  signal: SIGNAL,
};

interface Sketch {
  readonly key: string;
  readonly version: number;
  readonly shard: number;
  readonly isPoison: boolean;
}

const sketches = fc.array(
  fc.record({
    key: fc.constantFrom('a', 'b', 'c'),
    version: fc.integer({ min: 1, max: 9 }),
    shard: fc.integer({ min: 0, max: 2 }),
    isPoison: fc.boolean(),
  }),
  { maxLength: 50 },
);

function stored({ key, version, shard, isPoison }: Sketch, at: number): StoredRecord {
  const content = isPoison ? '%%%' : eventOf({ key, version });
  return {
    ...recordOf(at + 1, content),
    shardId: `shardId-00000000000${shard}`,
    partitionKey: key,
  };
}

/** A quarantine, and a true consumer over a table in memory. */
function redriveWorld(records: readonly StoredRecord[], ports: Partial<RedrivePorts> = {}) {
  const kept = memoryKeptRecords();
  for (const record of records) kept.kept.set(`${record.shardId}-${record.sequenceNumber}`, record);
  const world = consumeWorld();
  const seen: StoredRecord[] = [];
  const call: RedrivePorts['call'] = async (batch, passage) => {
    seen.push(...batch);
    return (await world.consumeAs(passage, batch)).ends;
  };
  const entries = () => [...kept.kept].map(([key, position]) => ({ key, position }));
  const clock = { nowMs: () => 0, sleep: async () => {} };
  const run = () => redrive(entries(), OPTIONS, { call, clock, kept, ...ports });
  return { ...world, kept, seen, run, call };
}

const newest = (records: readonly StoredRecord[], all: readonly Sketch[]) => {
  const versions = new Map<string, number>();
  for (const at of records.keys()) {
    const { key, version, isPoison } = all[at]!;
    if (!isPoison) versions.set(key, Math.max(version, versions.get(key) ?? 0));
  }
  return versions;
};

const versionsIn = (world: { table: { get(key: string): { version: string } | undefined } }) =>
  new Map(
    ['a', 'b', 'c'].flatMap((key) => {
      const event = world.table.get(key);
      return event === undefined ? [] : [[key, Number(event.version)] as const];
    }),
  );

test('found = written + stale + folded + refused + returned, and what is refused stays', () =>
  fc.assert(
    fc.asyncProperty(sketches, async (all) => {
      const records = all.map(stored);
      const world = redriveWorld(records);
      const { counts } = await world.run();
      const { found, ...parts } = counts;
      expect(found).toBe(records.length);
      expect(Object.values(parts).reduce((sum, one) => sum + one, 0)).toBe(found);
      expect(counts.refused).toBe(all.filter(({ isPoison }) => isPoison).length);
      expect(world.kept.kept.size).toBe(counts.refused);
      expect(world.kept.retired.size).toBe(found - counts.refused);
      expect(versionsIn(world)).toEqual(newest(records, all));
    }),
  ));

test('a key’s records go in the order of the stream, from the oldest shard on', () =>
  fc.assert(
    fc.asyncProperty(sketches, fc.infiniteStream(fc.nat()), async (all, dice) => {
      const records = all.map(stored);
      const shuffled = records
        .map((record) => ({ record, at: dice.next().value }))
        .toSorted((one, other) => one.at - other.at)
        .map(({ record }) => record);
      const world = redriveWorld(shuffled);
      await world.run();
      const place = ({ shardId, sequenceNumber }: StoredRecord) =>
        Number(shardId.slice(-1)) * 1_000 + Number(sequenceNumber);
      const places = world.seen.map(place);
      expect(places).toEqual(places.toSorted((one, other) => one - other));
    }),
  ));

test('broken off at any step and run again, nothing is lost, and nothing is in the table twice', () =>
  fc.assert(
    fc.asyncProperty(sketches, fc.nat({ max: 120 }), async (all, steps) => {
      const records = all.map(stored);
      const world = redriveWorld(records);
      let left = steps;
      /** The process is gone before or after the step. */
      const breaking = <A extends unknown[], R>(step: (...args: A) => Promise<R>) => {
        return async (...args: A): Promise<R> => {
          if (left-- === 0) throw new Error('gone');
          const answer = await step(...args);
          if (left-- === 0) throw new Error('gone');
          return answer;
        };
      };
      const kept = {
        read: breaking(world.kept.read),
        retire: breaking(world.kept.retire),
        leaveNewest: breaking(world.kept.leaveNewest),
      };
      const entries = [...world.kept.kept].map(([key, position]) => ({ key, position }));
      const clock = { nowMs: () => 0, sleep: async () => {} };
      await redrive(entries, OPTIONS, { call: breaking(world.call), clock, kept }).catch(
        (error: Error) => expect(error.message).toBe('gone'),
      );
      expect(world.kept.kept.size + world.kept.retired.size).toBe(records.length);
      const { counts } = await world.run();
      expect(counts.found).toBe(counts.written + counts.stale + counts.folded + counts.refused);
      expect(world.kept.kept.size).toBe(all.filter(({ isPoison }) => isPoison).length);
      expect(versionsIn(world)).toEqual(newest(records, all));
    }),
  ));

test('a second run of what was redriven finds only what was refused', async () => {
  const world = redriveWorld([recordOf(1, eventOf({ key: 'a', version: 1 })), recordOf(2, '%%%')]);
  expect((await world.run()).counts).toMatchObject({ found: 2, written: 1, refused: 1 });
  expect((await world.run()).counts).toMatchObject({ found: 1, written: 0, refused: 1 });
  expect(await world.checkpoints()).toEqual([]);
});

test('an old version does not revive a key that was deleted since', async () => {
  const world = redriveWorld([recordOf(1, eventOf({ key: 'a', version: 1 }))]);
  await world.consume([recordOf(9, eventOf({ key: 'a', version: 2, deleted: true }))], FOREVER_MS);
  expect((await world.run()).counts).toMatchObject({ found: 1, stale: 1, written: 0 });
  expect(world.table.get('a')).toBeUndefined();
});

test('what comes back stays in quarantine, and is told', async () => {
  const world = redriveWorld([recordOf(1, eventOf({ key: 'a', version: 1 }))], {
    call: async () => {
      throw transient();
    },
  });
  const { counts, detail } = await world.run();
  expect(counts).toMatchObject({ found: 1, returned: 1 });
  expect(detail).toBe('AwsError: the table is busy');
  expect(world.kept.kept.size).toBe(1);
});

test('what somebody else took meanwhile is counted as gone', async () => {
  const world = redriveWorld([]);
  const position = { shardId: 'shardId-0', sequenceNumber: '1' as SequenceNumber };
  const clock = { nowMs: () => 0, sleep: async () => {} };
  const { counts } = await redrive([{ key: 'taken', position }], OPTIONS, {
    call: world.call,
    clock,
    kept: world.kept,
  });
  expect(counts).toMatchObject({ found: 1, gone: 1, returned: 0 });
});
