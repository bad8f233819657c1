import { describe, expect, test } from 'vitest';
import { Defect } from '#core/assert';
import { memoryRecordTable } from '#adapters/memory/record-table';
import type { RecordTable } from '#ports/record-table';
import { ARRIVAL_MS, SHARD, consumeWorld, eventOf, recordOf, transient } from './consume-world.ts';

const order = (key: string, version = 1) => eventOf({ key, version });

/** A table that fails for some keys. */
function failingFor(...keys: string[]): RecordTable & { readonly asked: string[] } {
  const memory = memoryRecordTable();
  const asked: string[] = [];
  return {
    asked,
    async upsert(event) {
      asked.push(event.subject);
      if (keys.includes(event.subject)) throw transient();
      return memory.upsert(event);
    },
  };
}

test('CONS-01: two failures rewind to the lower, and what follows it comes again', async () => {
  const batch = [10, 11, 12, 13].map((at) => recordOf(at, order(`s${at}`)));
  const world = consumeWorld({ table: failingFor('s13', 's11') });
  expect(await world.consume(batch)).toEqual({ resumeAt: '11' });
  expect(world.summaries()).toMatchObject([{ written: 2, returned: 2, resumeAt: '11' }]);
  expect(await world.checkpoints()).toMatchObject([{ sequenceNumber: '10' }]);
});

test('CONS-05: an undecodable record is kept with its bytes, and its neighbours are stored', async () => {
  const world = consumeWorld();
  const bad = recordOf(8, '%%%not json');
  const batch = [recordOf(7, order('a')), bad, recordOf(9, order('b'))];
  expect(await world.consume(batch)).toEqual({});
  expect([...world.table.standing.keys()]).toEqual(['a', 'b']);
  expect(world.quarantine.kept()).toMatchObject([
    {
      pipeline: 'orders',
      stage: 'orders',
      reason: 'not-json',
      detail: '11 bytes that are not JSON in UTF-8',
      place: `${SHARD}-8`,
      payload: bad.data,
      atMs: bad.arrivalTimeMs,
    },
  ]);
  expect(await world.checkpoints()).toMatchObject([
    { sequenceNumber: '9', arrivalTimeMs: ARRIVAL_MS + 9, reach: 'frontier' },
  ]);
});

test('a record that cannot be kept aside blocks, and is never dropped', async () => {
  const quarantine = { put: () => Promise.reject(transient()) };
  const world = consumeWorld({ quarantine });
  const batch = [recordOf(7, order('a')), recordOf(8, 'poison'), recordOf(9, order('b'))];
  expect(await world.consume(batch)).toEqual({ resumeAt: '8' });
  expect([...world.table.standing.keys()]).toEqual(['a', 'b']);
  expect(world.events).toContainEqual(
    expect.objectContaining({ event: 'WriteFailed', into: 'quarantine', sequenceNumber: '8' }),
  );
});

test('SINK-12: the versions of one key in a batch become one write of the newest', async () => {
  const table = failingFor();
  const world = consumeWorld({ table });
  const batch = [1, 3, 2].map((version, at) => recordOf(at, order('1', version)));
  await world.consume(batch);
  expect(table.asked).toEqual(['1']);
  expect(world.summaries()).toMatchObject([{ keys: 1, written: 1, folded: 2 }]);
});

test('SINK-09: a second delivery of one version is stale, and acknowledged', async () => {
  const world = consumeWorld();
  const batch = [recordOf(4, order('1', 4))];
  await world.consume(batch);
  expect(await world.consume(batch)).toEqual({});
  expect(world.summaries()).toMatchObject([{ written: 1 }, { written: 0, stale: 1 }]);
});

test('a version that the table cannot hold gives way to the one before it', async () => {
  const table = memoryRecordTable(({ version }) =>
    version.endsWith('3')
      ? { kind: 'refused', reason: 'item-too-large', detail: 'it is' }
      : undefined,
  );
  const world = consumeWorld({ table });
  await world.consume([1, 3, 2].map((version, at) => recordOf(at, order('1', version))));
  expect(table.get('1')?.version).toMatch(/2$/);
  expect(world.summaries()).toMatchObject([{ written: 1, folded: 1, refused: 1 }]);
  expect(world.quarantine.kept()).toMatchObject([
    { reason: 'item-too-large', place: `${SHARD}-1` },
  ]);
});

test('a failing key returns all its records from the lowest on, and costs no other key', async () => {
  const world = consumeWorld({ table: failingFor('b') });
  const batch = [
    recordOf(9, order('a')),
    recordOf(10, order('b', 1)),
    recordOf(11, order('c')),
    recordOf(12, order('b', 2)),
  ];
  expect(await world.consume(batch)).toEqual({ resumeAt: '10' });
  expect(world.events).toContainEqual({
    event: 'WriteFailed',
    pipeline: 'orders',
    consumer: 'orders',
    into: 'table',
    shardId: SHARD,
    sequenceNumber: '10',
    records: 2,
    retryable: true,
    error: 'AwsError: the table is busy',
  });
  expect(world.summaries()).toMatchObject([{ written: 2, returned: 2 }]);
});

test('no key is begun after the deadline; those not begun are returned', async () => {
  let nowMs = 0;
  const table: RecordTable = {
    async upsert() {
      nowMs += 400;
      return { kind: 'written' };
    },
  };
  const clock = { nowMs: () => nowMs, sleep: async () => {} };
  const world = consumeWorld({ table, clock }, { concurrency: 1 });
  const batch = [5, 6, 7, 8].map((at) => recordOf(at, order(`k${at}`)));
  expect(await world.consume(batch, 700)).toEqual({ resumeAt: '7' });
  expect(world.summaries()).toMatchObject([{ written: 2, returned: 2, outOfTime: true }]);
});

test('a checkpoint that cannot be saved costs the batch nothing', async () => {
  const checkpoints = { save: () => Promise.reject(transient()), list: async () => [] };
  const world = consumeWorld({ checkpoints });
  expect(await world.consume([recordOf(3, order('a'))])).toEqual({});
  expect(world.events).toContainEqual(expect.objectContaining({ event: 'CheckpointFailed' }));
});

test('with several batches of a shard at once only the highest finished record is told', async () => {
  const world = consumeWorld({ table: failingFor('b') }, { batchesPerShard: 2 });
  await world.consume([
    recordOf(9, order('a')),
    recordOf(10, order('b')),
    recordOf(11, order('c')),
  ]);
  expect(await world.checkpoints()).toMatchObject([
    { reach: 'highest-finished', sequenceNumber: '11' },
  ]);
});

test.each([1, 2])(
  'a record counts as done once, in %i batches of a shard at once',
  async (lanes) => {
    const fails = new Set(['b']);
    const memory = memoryRecordTable();
    const table: RecordTable = {
      upsert: (event) =>
        fails.delete(event.subject) ? Promise.reject(transient()) : memory.upsert(event),
    };
    const world = consumeWorld({ table }, { batchesPerShard: lanes });
    const batch = ['a', 'b', 'c'].map((key, at) => recordOf(7 + at, order(key)));
    await world.consume(batch);
    await world.consume(batch.slice(1));
    const [checkpoint] = await world.checkpoints();
    expect(checkpoint).toMatchObject({ sequenceNumber: '9', doneTotal: 3 });
    expect(checkpoint?.eventTimeMs).toBe(Date.parse(order('c').time));
    await world.consume([recordOf(10, 'poison')]);
    expect((await world.checkpoints())[0]).not.toHaveProperty('eventTimeMs');
  },
);

test('a defect is never turned into an outcome', async () => {
  const table = { upsert: () => Promise.reject(new Defect('ours')) };
  const world = consumeWorld({ table });
  await expect(world.consume([recordOf(3, order('a'))])).rejects.toThrow(Defect);
  expect(await world.checkpoints()).toEqual([]);
});

test('an unmarked error needs a person, and its record waits for one', async () => {
  const table = { upsert: () => Promise.reject(new TypeError('not a function')) };
  const world = consumeWorld({ table });
  expect(await world.consume([recordOf(3, order('a'))])).toEqual({ resumeAt: '3' });
  expect(world.events).toContainEqual(
    expect.objectContaining({ retryable: false, error: 'TypeError: not a function' }),
  );
});

test('the age of a batch is that of its last record', async () => {
  const world = consumeWorld();
  await world.consume([recordOf(2, order('a')), recordOf(700, order('b'))]);
  expect(world.summaries()).toMatchObject([{ iteratorAgeMs: 5_000 - 700, received: 2 }]);
});

test('an empty batch says nothing and saves nothing', async () => {
  const world = consumeWorld();
  expect(await world.consume([])).toEqual({});
  expect(world.events).toEqual([]);
});

test('records of two shards in one batch are a defect', async () => {
  const stray = { ...recordOf(2, order('b')), shardId: 'shardId-000000000004' };
  const world = consumeWorld();
  await expect(world.consume([recordOf(1, order('a')), stray])).rejects.toThrow(/one shard/);
});

test('20,000 records of 5,000 keys are settled as few are: quadratic work would outlast the test', async () => {
  const batch = Array.from({ length: 20_000 }, (_, at) =>
    recordOf(at, eventOf({ key: `k${at % 5_000}`, version: at, data: { total: 7, note: 'gift' } })),
  );
  const world = consumeWorld();
  await world.consume(batch);
  expect(world.table.standing.size).toBe(5_000);
});

test('a key with many versions starts no more of them once its time is over', async () => {
  let nowMs = ARRIVAL_MS;
  const table: RecordTable = {
    async upsert() {
      nowMs += 10_000;
      return { kind: 'refused', reason: 'item-too-large', detail: 'too large' };
    },
  };
  const clock = { nowMs: () => nowMs, sleep: async () => {} };
  const world = consumeWorld({ table, clock });
  const batch = [1, 2, 3, 4, 5].map((version) => recordOf(version, eventOf({ key: 'k', version })));
  const { resumeAt } = await world.consume(batch, ARRIVAL_MS + 25_000);
  expect(resumeAt).toBe('1');
  expect(world.summaries()).toMatchObject([{ refused: 3, returned: 2, outOfTime: true }]);
});

describe('records out of their turn', () => {
  test('move no checkpoint and say how each of them ended', async () => {
    const { consumeAs, checkpoints, table } = consumeWorld();
    const records = [
      recordOf(11, order('7', 1)),
      recordOf(12, 'no event'),
      recordOf(13, order('7', 2)),
    ];
    const { ends } = await consumeAs('redrive', records);
    expect(ends).toEqual(['folded', 'refused', 'written']);
    expect(table.get('7')).toMatchObject(order('7', 2));
    expect(await checkpoints()).toEqual([]);
  });

  test('open no breaker, however many of them are refused', async () => {
    const world = consumeWorld({}, { breaker: { percent: 1, recordsMin: 1 } });
    const { ends } = await world.consumeAs('replay', [recordOf(11, 'no event')]);
    expect(ends).toEqual(['refused']);
    expect(world.events.map(({ event }) => event)).not.toContain('BreakerOpened');
  });

  test('a refused record keeps where it came from', async () => {
    const { consume, quarantine } = consumeWorld();
    const { data: _, ...origin } = recordOf(11, 'no event');
    await consume([recordOf(11, 'no event')]);
    expect(quarantine.kept()).toMatchObject([{ origin }]);
  });
});
