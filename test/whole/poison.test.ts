/** Records that can never be stored: each rests in quarantine, and delays no other. */
import { PutRecordCommand } from '@aws-sdk/client-kinesis';
import { expect, vi } from 'vitest';
import type { SignedFetch } from '#adapters/aws/signed-fetch';
import { listQuarantine } from '#cli/quarantine-reader';
import type { Deployment } from '#test/clouds/cloud';
import { cloudTest } from '#test/clouds/cloud-test';
import { deployTickets, namesOf, sourceRows, tableRows, WAIT } from './tickets-app.ts';
import { fill, ticketsSource } from './tickets-source.ts';
import type { TicketsSource } from './tickets-source.ts';

cloudTest(
  'poison of every kind rests in quarantine with its reason, and its neighbours arrive',
  async (cloud) => {
    const source = await ticketsSource();
    const poison = servePoison(source);
    const deployment = await deployTickets(cloud, source);
    const arrived = async () => {
      expect(await tableRows(deployment)).toEqual(sourceRows(source));
      expect(await quarantined(deployment)).toEqual(poison);
    };
    await vi.waitFor(arrived, WAIT);

    // By a person's own hand, in the lane of a ticket that goes on.
    await put(deployment, Buffer.from('{"ticket_id":"ticket-3",'));
    await put(deployment, Buffer.from([0x7b, 0xff, 0xfe, 0x7d]));
    await put(deployment, Buffer.from('{"ticket_id":"ticket-3"}'));
    poison.set('{"ticket_id":"ticket-3",', 'tickets/not-json');
    poison.set('base64 e//+fQ==', 'tickets/not-json');
    poison.set('{"ticket_id":"ticket-3"}', 'tickets/not-an-event');
    fill(source, 0, 70);
    await vi.waitFor(arrived, WAIT);
  },
);

/** Good rows with each kind of poison among them; answers payload → where it has to rest. */
function servePoison(source: TicketsSource): Map<string, string> {
  const kinds: readonly [string, Readonly<Record<string, string>>][] = [
    ['poll/no-key', { subject: 'nobody' }],
    ['poll/key-too-long', { ticket_id: 'longer than a partition key '.repeat(10) }],
    ['poll/key-too-long', { ticket_id: 'longer than an item’s key '.repeat(100) }],
    ['poll/record-too-large', { ticket_id: 'large', text: 'x'.repeat(1_048_576) }],
    ['tickets/item-too-large', { ticket_id: 'heavy', text: 'y'.repeat(410_000) }],
  ];
  const poison = new Map<string, string>();
  for (const [at, [place, members]] of kinds.entries()) {
    fill(source, at * 20, 20);
    poison.set(JSON.stringify(source.serve(members)), place);
  }
  fill(source, kinds.length * 20, 20);
  return poison;
}

async function put(deployment: Deployment, Data: Uint8Array): Promise<void> {
  const record = { StreamName: namesOf(deployment).stream, PartitionKey: 'ticket-3', Data };
  await deployment.connection.kinesis.send(new PutRecordCommand(record));
}

interface QuarantineObject {
  readonly stage: string;
  readonly reason: string;
  readonly detail: string;
  readonly payload?: string;
  readonly payloadBase64?: string;
}

/** What rests in the bucket: the source's row → stage and reason. */
async function quarantined(deployment: Deployment): Promise<Map<string, string>> {
  const bucket = namesOf(deployment).quarantineBucket;
  const send = await deployment.connection.signed('s3');
  const keys = await listQuarantine(send, bucket);
  const objects = await Promise.all(keys.map((key) => read(send, `/${bucket}/${key}`)));
  for (const { detail } of objects) expect(detail).not.toBe('');
  return new Map(objects.map((object) => [rowOf(object), `${object.stage}/${object.reason}`]));
}

async function read(send: SignedFetch, path: string): Promise<QuarantineObject> {
  const answer = await send({ method: 'GET', path, timeoutMs: 30_000 });
  return (await answer.json()) as QuarantineObject;
}

/** A record from the stream carries the row as its event's data. */
function rowOf({ reason, payload, payloadBase64 }: QuarantineObject): string {
  if (payload === undefined) return `base64 ${payloadBase64}`;
  if (reason !== 'item-too-large') return payload;
  return JSON.stringify((JSON.parse(payload) as { data: unknown }).data);
}
