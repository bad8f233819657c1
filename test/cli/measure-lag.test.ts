/** Lag as it is measured: against a real port, by the checkpoints a consumer would write. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { measureLag } from '#cli/measure-lag';
import { readCheckpoints } from '#cli/read-checkpoints';
import { FIRST_SHARD, streamOnTheWire } from './stream-on-the-wire.ts';

const ASK = { stage: 'dev', pipeline: 'orders', consumer: 'orders' };
let stream: Awaited<ReturnType<typeof streamOnTheWire>>;

beforeEach(async () => {
  stream = await streamOnTheWire();
});
afterEach(() => stream.close());

test('a stream that never held anything is not behind', async () => {
  expect(await measureLag(stream.connection, ASK)).toEqual([
    {
      pipeline: 'orders',
      consumer: 'orders',
      shardId: FIRST_SHARD,
      state: 'open',
      checkpoint: null,
      eventTimeMs: null,
      tip: null,
      behindMs: 0,
      behindRecords: 0,
      doneTotal: 0,
      atMs: expect.any(Number) as number,
    },
  ]);
});

test('before the first checkpoint everything is behind', async () => {
  await stream.put(['1', '2', '3']);
  const [row] = await measureLag(stream.connection, ASK);
  expect(row).toMatchObject({ checkpoint: null, behindRecords: 3 });
  expect(row?.behindMs).toBeGreaterThanOrEqual(0);
});

test('what follows the checkpoint is behind, and nothing when the last record is done', async () => {
  const sequences = await stream.put(['1', '2', '3', '4', '5'], 'one-key');
  await stream.checkpoint(FIRST_SHARD, sequences[1]);
  expect(await measureLag(stream.connection, ASK)).toMatchObject([
    { checkpoint: sequences[1], tip: sequences[4], behindRecords: 3, doneTotal: 1 },
  ]);
  await stream.checkpoint(FIRST_SHARD, sequences[4]);
  expect(await measureLag(stream.connection, ASK)).toMatchObject([
    { checkpoint: sequences[4], tip: sequences[4], behindRecords: 0, behindMs: 0 },
  ]);
});

test('a closed shard is shown while it is behind, and left out once it is done', async () => {
  const sequences = await stream.put(['1', '2'], 'one-key');
  await stream.split();
  const before = await measureLag(stream.connection, ASK);
  expect(before.map(({ behindRecords }) => behindRecords)).toEqual([2, 0, 0]);
  expect(before.map(({ state }) => state)).toEqual(['closed', 'waits', 'waits']);
  await stream.checkpoint(FIRST_SHARD, sequences[1]);
  const after = await measureLag(stream.connection, ASK);
  expect(after.map(({ shardId }) => shardId)).not.toContain(FIRST_SHARD);
  expect(after.map(({ state }) => state)).toEqual(['open', 'open']);
});

test('beyond what is worth reading the count and the tip are left open, the age is not', async () => {
  await stream.put(
    Array.from({ length: 2_500 }, (_, at) => `${at}`),
    'one-key',
  );
  const [row] = await measureLag(stream.connection, ASK);
  expect(row).toMatchObject({ behindRecords: null, tip: null });
  expect(row?.behindMs).toBeGreaterThanOrEqual(0);
});

test('the frontier is the place, and the highest record done where there is no frontier', async () => {
  const client = stream.connection.dynamodb;
  const ask = { stateTable: 'penstock-dev-state', pipeline: 'orders', consumer: 'orders' };
  await stream.checkpoint('shard-a', '19', 'highest-finished');
  await stream.checkpoint('shard-b', '27', 'highest-finished');
  await stream.checkpoint('shard-b', '23', 'frontier');
  const places = [...(await readCheckpoints(client, ask)).values()];
  expect(places.map(({ sequenceNumber }) => sequenceNumber)).toEqual(['19', '23']);
  expect(await readCheckpoints(client, { ...ask, consumer: 'other' })).toEqual(new Map());
});
