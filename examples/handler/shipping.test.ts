/** The pipeline as it would be deployed, with a service behind it that forgets nothing. */
import { rm } from 'node:fs/promises';
import { GetRecordsCommand, GetShardIteratorCommand, KinesisClient } from '@aws-sdk/client-kinesis';
import { afterAll, expect, test, vi } from 'vitest';
import { giveSecrets } from '#cli/cloud/put-secrets';
import { scratchFolder } from '#cli/cloud/scratch';
import { synthesize } from '#cli/cloud/synthesize';
import { connect } from '#cli/connection';
import { SCRATCH_DIRECTORY } from '#cli/project';
import { listQuarantine } from '#cli/quarantine-reader';
import { cloudFor } from '#local/kit/vitest';
import { shippingService } from './shipping-service.ts';
import { shop } from './shop.ts';

const TOKEN = 'a-token-for-shipping';
const FUNCTION = 'penstock-dev-shop-consume-shipping';
const WAIT = { timeout: 60_000, interval: 50 };

const [source, service] = await Promise.all([shop(), shippingService(TOKEN)]);
const cdkOut = await scratchFolder(SCRATCH_DIRECTORY);
afterAll(async () => {
  await Promise.all([source.close(), service.close()]);
  await rm(cdkOut, { recursive: true });
});

const cloud = cloudFor(async () => {
  const pipelinesDirectory = `${import.meta.dirname}/pipelines`;
  await synthesize({ stage: 'dev', pipelinesDirectory, cdkOut, env: process.env });
  return {
    cdkOut,
    // The shop is polled on and on, instead of every minute.
    tempo: true,
    parameters: { ShopUrl: source.url, ShippingUrl: service.url },
    beforeRunning: (endpoint) =>
      giveSecrets(endpoint, [{ name: 'penstock/dev/shipping-token', value: TOKEN }]),
  };
});

const IDS = Array.from({ length: 12 }, (_, n) => `order-${n}`);

/** The revisions of an order, each where it first arrived. */
const firstRevisions = (id: string) => [
  ...new Set(service.arrivals.filter(({ orderId }) => orderId === id).map((one) => one.revision)),
];

test('every change arrives in order and is done once, whatever is delivered twice', async () => {
  const { faults } = cloud();
  faults.add({ kind: 'deliver-again', function: FUNCTION, times: 2 });
  faults.add({ kind: 'kill-function', function: FUNCTION, intoMs: 15, times: 1 });
  source.put('order-lost', { address: null });
  for (const revision of [1, 2, 3]) {
    for (const id of IDS) source.put(id, revision === 3 ? { cancelled_at: '2031-05-06' } : {});
    const doneRevision = () =>
      [...service.done.values()].filter((one) => one.revision === revision).length;
    await vi.waitFor(() => expect(doneRevision()).toBe(IDS.length), WAIT);
  }
  expect(faults.list().map(({ hits }) => hits)).toEqual([2, 1]);
  for (const id of IDS) expect(firstRevisions(id)).toEqual([1, 2, 3]);
  expect(service.arrivals.length).toBeGreaterThan(service.done.size);
  expect(service.done.size).toBe(3 * IDS.length);
});

test('what the service refuses rests in quarantine, with what it said', async () => {
  const connection = connect(cloud().endpoint, {});
  const send = await connection.signed('s3');
  const bucket = 'penstock-dev-shop-refused-000000000000-us-east-1';
  const kept = await vi.waitFor(async () => {
    const keys = await listQuarantine(send, bucket);
    expect(keys.length).toBeGreaterThan(0);
    return keys;
  }, WAIT);
  expect(kept).toEqual([expect.stringMatching(/^shipping\/handler-refused\//)]);
  const answer = await send({ method: 'GET', path: `/${bucket}/${kept[0]}`, timeoutMs: 9_000 });
  expect(await answer.json()).toMatchObject({
    stage: 'shipping',
    reason: 'handler-refused',
    detail: 'the shipping service refused the order: 422 an address is missing',
  });
  connection.close();
});

test('a replay is told, and what was done is not done again', async () => {
  const { client, invoke, untilIdle } = cloud();
  // What was interrupted comes again, from the stream.
  await untilIdle();
  const kinesis = new KinesisClient(client);
  const shard = { StreamName: 'penstock-dev-shop', ShardId: 'shardId-000000000000' };
  const { ShardIterator } = await kinesis.send(
    new GetShardIteratorCommand({ ...shard, ShardIteratorType: 'TRIM_HORIZON' }),
  );
  const { Records = [] } = await kinesis.send(new GetRecordsCommand({ ShardIterator, Limit: 5 }));
  const [before, doneBefore] = [service.arrivals.length, service.done.size];
  const event = {
    passage: 'replay',
    Records: Records.map(({ SequenceNumber, PartitionKey, Data }) => ({
      eventID: `${shard.ShardId}:${SequenceNumber}`,
      kinesis: {
        sequenceNumber: SequenceNumber,
        partitionKey: PartitionKey,
        approximateArrivalTimestamp: 1_900_000_000,
        data: Buffer.from(Data ?? []).toString('base64'),
      },
    })),
  };
  const answer = await invoke(FUNCTION, JSON.stringify(event));
  const { ends } = JSON.parse(answer.kind === 'ok' ? answer.payload : '{}') as { ends: string[] };
  // The order without an address is among them, or not.
  expect(ends.filter((end) => end !== 'refused')).toEqual(
    Records.filter(({ Data }) => !Buffer.from(Data ?? []).includes('order-lost')).map(
      () => 'written',
    ),
  );
  const replayed = service.arrivals.slice(before);
  expect(replayed.length).toBeGreaterThanOrEqual(5);
  expect(replayed.every(({ isReplay }) => isReplay)).toBe(true);
  expect(service.done.size).toBe(doneBefore);
});

test('its role was refused nothing', () => {
  const calls = cloud()
    .calls()
    .find(({ caller }) => caller === `function ${FUNCTION}`);
  const actions = new Set(calls?.allowed.map(({ grant }) => grant.action));
  expect(calls?.refused).toEqual([]);
  expect([...actions]).toContain('secretsmanager:GetSecretValue');
  expect([...actions]).not.toContain('dynamodb:PutItem');
});
