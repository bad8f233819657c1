/** A pipeline for another API is one new file, and nothing else. */
import { expect, vi } from 'vitest';
import { cloudTest } from '#test/clouds/cloud-test';
import { deployTickets, sourceRows, tableRows, WAIT } from './tickets-app.ts';
import { ticketsSource } from './tickets-source.ts';

cloudTest('one new file brings another API into a table', async (cloud) => {
  const source = await ticketsSource();
  for (let i = 0; i < 130; i++) source.change(`ticket-${i % 90}`);
  const deployment = await deployTickets(cloud, source);
  const agree = async () => expect(await tableRows(deployment)).toEqual(sourceRows(source));
  await vi.waitFor(agree, WAIT);

  source.change('ticket-3');
  source.change('ticket-5', true);
  source.change('ticket-97');
  await vi.waitFor(agree, WAIT);
});
