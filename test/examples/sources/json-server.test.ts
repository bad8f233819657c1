/** json-server 0.17, polled by the pipelines of examples/sources while its rows change. */
import { expect, test } from 'vitest';
import { loopbackAws } from './loopback-aws.ts';
import { tableRows } from './plain-rows.ts';
import { polledPipeline } from './polled-pipeline.ts';
import { stockServer } from './stock-server.ts';

/** A stock, and a poller of it by link and another by offset. */
async function polledStock() {
  const server = await stockServer();
  const aws = await loopbackAws();
  const pipelines = await Promise.all(
    ['stock-link', 'stock-offset'].map((name) =>
      polledPipeline(aws, {
        directory: 'examples/sources/json-server/pipelines',
        name,
        env: { STOCK_API_URL: server.url },
      }),
    ),
  );
  const through = (work: Promise<void>) =>
    Promise.all(pipelines.map((pipeline) => pipeline.through(work)));
  return { server, pipelines, through };
}

test('rows that change, come and go while they are polled are in the table, by link and by offset', async () => {
  const { server, pipelines, through } = await polledStock();
  await through(server.change(80));
  const truth = await server.truth();
  expect(truth.deleted.size).toBeGreaterThan(5);
  for (const pipeline of pipelines) {
    const table = tableRows(await pipeline.items(), 'id');
    expect(table).toEqual(truth);
    expect(pipeline.refused()).toEqual([]);
    // The file says …1001: json-server reads numbers as doubles, and that digit is lost there.
    expect(table.rows.get('item-008')).toMatchObject({ serial: '#9007199254741000' });
  }
});

test('a row of the newest row’s own second is seen, though times are compared as texts', async () => {
  const { server, pipelines } = await polledStock();
  for (const { poll } of pipelines) await poll();
  // The newest is of 00:00:13, which is asked from: with a zone, a text after the one that follows.
  await server.make('next', '2026-01-05T00:00:13.250Z');
  for (const { poll } of pipelines) expect(await poll()).toMatchObject({ published: 1 });
});
