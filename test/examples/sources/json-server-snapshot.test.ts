/** json-server 0.17, read as a whole while rows change, and go without a trace. */
import { expect, test } from 'vitest';
import { loopbackAws } from './loopback-aws.ts';
import { tableRows } from './plain-rows.ts';
import { polledPipeline } from './polled-pipeline.ts';
import { stockServer } from './stock-server.ts';

const REMOVED = ['item-001', 'item-037', 'item-070', 'item-131', 'new-0'];

test('rows that are deleted for good are deleted in the table, and what does not change is read once', async () => {
  const server = await stockServer();
  const pipeline = await polledPipeline(await loopbackAws(), {
    directory: 'examples/sources/json-server/pipelines',
    name: 'stock-snapshot',
    env: { STOCK_API_URL: server.url },
  });
  const work = async () => {
    await server.change(40);
    for (const id of REMOVED) await server.remove(id);
    await server.change(8);
  };
  await pipeline.through(work());

  // Of a snapshot, a mark is a member like any other: such a row is there.
  const { rows, deleted } = await server.truth();
  const table = tableRows(await pipeline.items(), 'id');
  expect([...table.rows.keys()].toSorted()).toEqual([...rows.keys(), ...deleted].toSorted());
  for (const [id, row] of rows) expect(table.rows.get(id)).toEqual(row);
  expect([...table.deleted].toSorted()).toEqual(REMOVED.toSorted());
  expect(pipeline.refused()).toEqual([]);

  // Nothing has changed: the server says so by its tag, and shows nothing.
  expect(await pipeline.poll()).toMatchObject({ kind: 'caught-up', records: 0, published: 0 });
  await server.make('another', '2026-01-05T00:00:00.000Z');
  expect(await pipeline.poll()).toMatchObject({ kind: 'caught-up', published: 1 });
});
