import { expect, test } from 'vitest';
import { modelReader, modelStream, replayWorld, START_MS } from './replay-world.ts';
import type { Move } from './replay-world.ts';

const puts = (count: number, key = 3): Move[] =>
  Array.from({ length: count }, () => ({ put: key }));
const texts = (records: readonly { readonly data: Uint8Array }[]) =>
  records.map(({ data }) => Buffer.from(data).toString());

test('a record that comes back again and again stops it, and says where', async () => {
  const stream = modelStream([...puts(3), { put: 9 }, ...puts(5)]);
  let isMended = false;
  const world = replayWorld(stream, {
    answer: (records) =>
      records.map(({ partitionKey }) =>
        partitionKey === 'k9' && !isMended ? 'returned' : 'written',
      ),
  });
  expect(await world.run()).toEqual({
    kind: 'stuck',
    shardId: 'shardId-000000000000',
    sequenceNumber: '103',
    detail: 'the consumer returned them',
  });
  expect(world.places.get('shardId-000000000000')).toMatchObject({ sequenceNumber: '102' });
  isMended = true;
  expect(await world.run()).toEqual({ kind: 'done' });
  expect(world.opened.at(-1)).toEqual({ kind: 'after', sequenceNumber: '102' });
  expect(new Set(texts(world.sent)).size).toBe(9);
});

test('only the records of a key are sent, and a run that goes on does not read the others again', async () => {
  const stream = modelStream([{ put: 1 }, ...puts(9, 2), { put: 1 }, { split: 0 }, { put: 1 }]);
  const world = replayWorld(stream, { key: 'k1' });
  expect(await world.run()).toEqual({ kind: 'done' });
  expect(texts(world.sent)).toEqual(['0', '10', '12']);
  expect(world.places.get('shardId-000000000000')).toMatchObject({
    sequenceNumber: '110',
    records: 2,
    ended: true,
  });
});

test('it ends with the record that was named', async () => {
  const stream = modelStream(puts(9));
  const end = { kind: 'sequence', sequenceNumber: '104' } as never;
  const world = replayWorld(stream, {
    end,
    from: { kind: 'from', sequenceNumber: '102' } as never,
  });
  expect(await world.run()).toEqual({ kind: 'done' });
  expect(texts(world.sent)).toEqual(['2', '3', '4']);
});

test('all shards together send no more a second than was asked', async () => {
  const moves: Move[] = [{ split: 0 }, { split: 0 }, { split: 2 }];
  for (let at = 0; at < 400; at++) moves.push({ put: at % 16 });
  const world = replayWorld(modelStream(moves), {
    recordsPerSec: 50,
    recordsMax: 10,
    lanes: 4,
    pageSize: 100,
  });
  await world.run();
  expect(world.sent).toHaveLength(400);
  expect(world.clock.nowMs() - START_MS).toBeGreaterThanOrEqual((390 / 50) * 1_000);
});

test('no more shards are open at once than was asked, over a thousand of them', async () => {
  const moves: Move[] = [];
  for (let at = 0; at < 500; at++) moves.push({ split: 0 }, { put: at % 16 }, { merge: 0 });
  const stream = modelStream(moves);
  expect(stream.shards.length).toBeGreaterThan(1_000);
  let [open, most] = [0, 0];
  const plain = modelReader(stream, 50);
  const world = replayWorld(stream, {
    lanes: 3,
    reader: {
      async open(...asked) {
        const read = await plain.open(...asked);
        most = Math.max(most, ++open);
        return async () => {
          const page = await read();
          if (page.stand !== 'more') open -= 1;
          return page;
        };
      },
    },
  });
  expect(await world.run()).toEqual({ kind: 'done' });
  expect(world.sent).toHaveLength(500);
  expect(most).toBeLessThanOrEqual(3);
});
