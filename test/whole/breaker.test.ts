/** A stream that goes bad at once: its consumer stands still, and an operator decides. */
import { PutRecordsCommand } from '@aws-sdk/client-kinesis';
import { expect, vi } from 'vitest';
import { breakerStore } from '#cli/breaker';
import { listQuarantine } from '#cli/quarantine-reader';
import type { Deployment } from '#test/clouds/cloud';
import { cloudTest } from '#test/clouds/cloud-test';
import { deployTickets, namesOf, sourceRows, tableRows, WAIT } from './tickets-app.ts';
import { fill, ticketsSource } from './tickets-source.ts';

const OF = { pipeline: 'tickets', consumer: 'tickets' };
const BAD = 120;

cloudTest(
  'a stream full of what is no event waits whole, until it is let pass into quarantine',
  async (cloud) => {
    const source = await ticketsSource();
    fill(source, 0, 30);
    const deployment = await deployTickets(cloud, source);
    const agree = async () => expect(await tableRows(deployment)).toEqual(sourceRows(source));
    await vi.waitFor(agree, WAIT);

    await putBad(deployment);
    const store = breakerStore(deployment.connection, deployment.stage);
    const stands = async () =>
      expect((await store.read(OF)).open).toMatchObject({ reason: 'not-json' });
    await vi.waitFor(stands, WAIT);
    expect(await quarantined(deployment)).toBe(0);

    await store.close(OF, { letUntilMs: Date.now() + 3_600_000 });
    source.change('ticket-3');
    await vi.waitFor(agree, WAIT);
    await vi.waitFor(async () => expect(await quarantined(deployment)).toBe(BAD), WAIT);
    expect((await store.read(OF)).open).toBe(undefined);
  },
);

/** In one request, so that a batch holds enough of them to judge by. */
async function putBad(deployment: Deployment): Promise<void> {
  const Records = Array.from({ length: BAD }, (_, at) => ({
    PartitionKey: 'ticket-3',
    Data: Buffer.from(`bad ${at}`),
  }));
  const { stream: StreamName } = namesOf(deployment);
  await deployment.connection.kinesis.send(new PutRecordsCommand({ StreamName, Records }));
}

async function quarantined(deployment: Deployment): Promise<number> {
  const send = await deployment.connection.signed('s3');
  return (await listQuarantine(send, namesOf(deployment).quarantineBucket)).length;
}
