/** Records that can never be stored: each rests in quarantine, and delays no other. */
import { PutRecordCommand } from '@aws-sdk/client-kinesis';
import { expect, test, vi } from 'vitest';
import type { SignedFetch } from '#adapters/aws/signed-fetch';
import { connect } from '#cli/connection';
import { listQuarantine } from '#cli/quarantine-reader';
import type { Cloud } from '#local/cloud';
import { runTickets, scratch, sourceRows, STAGE, synthesizeTickets, tableRows } from './app.ts';
import { fill, ticketsSource } from './tickets-source.ts';
import type { TicketsSource } from './tickets-source.ts';

const WAIT = { timeout: 40_000, interval: 200 };
const STREAM = `penstock-${STAGE}-tickets`;

test('poison of every kind rests in quarantine with its reason, and its neighbours arrive', async () => {
  const source = await ticketsSource();
  const poison = servePoison(source);
  const cloud = await runTickets(source, { cdkOut: await synthesizeTickets(await scratch()) });
  const arrived = async () => {
    expect(await tableRows(cloud.endpoint)).toEqual(sourceRows(source));
    expect(await quarantined(cloud)).toEqual(poison);
  };
  await vi.waitFor(arrived, WAIT);

  // By a person's own hand, in the lane of a ticket that goes on.
  await put(cloud, Buffer.from('{"ticket_id":"ticket-3",'));
  await put(cloud, Buffer.from([0x7b, 0xff, 0xfe, 0x7d]));
  await put(cloud, Buffer.from('{"ticket_id":"ticket-3"}'));
  poison.set('{"ticket_id":"ticket-3",', 'tickets/not-json');
  poison.set('base64 e//+fQ==', 'tickets/not-json');
  poison.set('{"ticket_id":"ticket-3"}', 'tickets/not-an-event');
  fill(source, 0, 70);
  await vi.waitFor(arrived, WAIT);
});

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

async function put({ endpoint }: Cloud, Data: Uint8Array): Promise<void> {
  const connection = connect(endpoint, {});
  try {
    const record = { StreamName: STREAM, PartitionKey: 'ticket-3', Data };
    await connection.kinesis.send(new PutRecordCommand(record));
  } finally {
    connection.close();
  }
}

interface QuarantineObject {
  readonly stage: string;
  readonly reason: string;
  readonly detail: string;
  readonly payload?: string;
  readonly payloadBase64?: string;
}

/** What rests in the bucket: the source's row → stage and reason. */
async function quarantined({ endpoint, resources }: Cloud): Promise<Map<string, string>> {
  const bucket = resources['AWS::S3::Bucket']?.[0] ?? '';
  const connection = connect(endpoint, {});
  try {
    const send = await connection.signed('s3');
    const keys = await listQuarantine(send, bucket);
    const objects = await Promise.all(keys.map((key) => read(send, `/${bucket}/${key}`)));
    for (const { detail } of objects) expect(detail).not.toBe('');
    return new Map(objects.map((object) => [rowOf(object), `${object.stage}/${object.reason}`]));
  } finally {
    connection.close();
  }
}

async function read(send: SignedFetch, path: string): Promise<QuarantineObject> {
  const answer = await send({ method: 'GET', path, timeoutMs: 5_000 });
  return (await answer.json()) as QuarantineObject;
}

/** A record from the stream carries the row as its event's data. */
function rowOf({ reason, payload, payloadBase64 }: QuarantineObject): string {
  if (payload === undefined) return `base64 ${payloadBase64}`;
  if (reason !== 'item-too-large') return payload;
  return JSON.stringify((JSON.parse(payload) as { data: unknown }).data);
}
