/** The source is polled because its minute has come, and for no other reason. */
import { expect, vi } from 'vitest';
import { capabilityTest } from '#test/clouds/cloud-test';
import { deployTickets, sourceRows, tableRows, WAIT } from './tickets-app.ts';
import { ticketsSource } from './tickets-source.ts';
import { WITHOUT_SECRET } from './tickets-variants.ts';

capabilityTest(
  'schedule',
  'a schedule fires again and again, and each time the source is polled',
  async (cloud) => {
    const source = await ticketsSource({ isOpen: true });
    source.change('ticket-1');
    const deployment = await deployTickets(cloud, source, {
      pipeline: WITHOUT_SECRET,
      scheduleOnly: true,
    });
    const agree = async () => expect(await tableRows(deployment)).toEqual(sourceRows(source));
    await vi.waitFor(agree, WAIT);
    source.change('ticket-1');
    await vi.waitFor(agree, WAIT);
  },
);
