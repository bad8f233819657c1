/** A key of two parts, from the source to the table. */
import { expect, vi } from 'vitest';
import { getOne, scanAll } from '#cli/table-reader';
import { cloudTest } from '#test/clouds/cloud-test';
import { streamRecords } from './read-stream.ts';
import { deployTickets, namesOf, WAIT } from './tickets-app.ts';
import { TICKETS_FILE, ticketsSource } from './tickets-source.ts';

const PIPELINE = TICKETS_FILE.replace("key: 'ticket_id'", "key: ['queue', 'ticket_id']");

cloudTest(
  'records that are told apart by both parts of their key stand as items of two keys, deleted ones too',
  async (cloud) => {
    const source = await ticketsSource();
    source.serve({ queue: 'a/b', ticket_id: '7', title: 'one' });
    source.serve({ queue: 'a', ticket_id: 'b/7', title: 'other' });
    source.serve({ queue: 'a%2Fb', ticket_id: '7', title: 'gone', closed_at: '2031-05-07' });
    const deployment = await deployTickets(cloud, source, { pipeline: PIPELINE });
    const { dynamodb } = deployment.connection;
    const { table, stream } = namesOf(deployment);
    await vi.waitFor(async () => expect(await scanAll(dynamodb, table)).toHaveLength(3), WAIT);

    const read = (queue: string, ticket_id: string) =>
      getOne(dynamodb, { table, key: { queue, ticket_id } });
    expect(await read('a/b', '7')).toMatchObject({ title: { S: 'one' } });
    expect(await read('a', 'b/7')).toMatchObject({ title: { S: 'other' } });
    expect(await read('a%2Fb', '7')).toMatchObject({ _deleted: { BOOL: true } });
    const partitionKeys = (await streamRecords(deployment, stream)).map((one) => one.partitionKey);
    expect([...new Set(partitionKeys)].toSorted()).toEqual(['a%252Fb/7', 'a%2Fb/7', 'a/b%2F7']);
  },
);
