/** A pipeline for another API is one new file, and nothing else. */
import { expect, test, vi } from 'vitest';
import { runTickets, scratch, sourceRows, synthesizeTickets, tableRows } from './app.ts';
import { ticketsSource } from './tickets-source.ts';

test('one new file brings another API into a table', async () => {
  const source = await ticketsSource();
  for (let i = 0; i < 130; i++) source.change(`ticket-${i % 90}`);
  const cloud = await runTickets(source, { cdkOut: await synthesizeTickets(await scratch()) });
  const agree = async () => expect(await tableRows(cloud.endpoint)).toEqual(sourceRows(source));
  await vi.waitFor(agree, { timeout: 40_000, interval: 200 });

  source.change('ticket-3');
  source.change('ticket-5', true);
  source.change('ticket-97');
  await vi.waitFor(agree, { timeout: 40_000, interval: 200 });
});
