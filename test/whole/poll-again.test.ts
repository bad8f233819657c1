/** A source that is polled once more from its beginning. */
import { expect, vi } from 'vitest';
import { measureLag } from '#cli/measure-lag';
import { pollControl } from '#cli/poll-control';
import { scanAll } from '#cli/table-reader';
import { cloudTest } from '#test/clouds/cloud-test';
import { deployTickets, namesOf, sourceRows, tableRows, WAIT } from './tickets-app.ts';
import { fill, ticketsSource } from './tickets-source.ts';

cloudTest(
  'a cursor that is reset publishes all again, and nothing is doubled in a table: items are written over themselves',
  async (cloud) => {
    const source = await ticketsSource();
    fill(source, 0, 120);
    const deployment = await deployTickets(cloud, source);
    const { connection, stage } = deployment;
    const settled = async () => {
      const ask = { stage, pipeline: 'tickets', consumer: 'tickets' };
      const behind = (await measureLag(connection, ask)).map((row) => row.behindRecords);
      expect(behind.every((records) => records === 0)).toBe(true);
      expect(await tableRows(deployment)).toEqual(sourceRows(source));
    };
    await vi.waitFor(settled, WAIT);
    /** Without when they were written, by which poll, and until when a tombstone stays. */
    const items = async () =>
      new Map(
        (await scanAll(connection.dynamodb, namesOf(deployment).table)).map((item) => {
          const { _observed, _updated, _expires, ...rest } = item;
          return [item['ticket_id']?.S, rest];
        }),
      );
    const before = await items();

    const asked = source.asked.length;
    const control = pollControl(connection, stage);
    await control.setCursor('tickets', undefined);
    const readAgain = async () => {
      expect(source.asked.slice(asked).some((query) => !query.has('since'))).toBe(true);
      const standing = await control.read('tickets');
      expect(standing?.savedAtMs).toBeDefined();
      expect(standing?.end?.outcome).toBe('caught-up');
      expect(standing?.succeededAtMs).toBe(standing?.end?.atMs);
      expect(standing?.cursor).toContain('"run":null');
    };
    await vi.waitFor(readAgain, WAIT);
    await vi.waitFor(settled, WAIT);
    expect(await items()).toEqual(before);
  },
);
