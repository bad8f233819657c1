/** Several consumers of one stream: what befalls one is nothing to the others. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { KinesisClient, PutRecordsCommand } from '@aws-sdk/client-kinesis';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { measureLag } from '#cli/measure-lag';
import { scanAll } from '#cli/table-reader';
import { defineHandler } from '#config/define-handler';
import type { HandleRecord } from '#config/define-handler';
import type { PipelineInput } from '#config/pipeline-input';
import { consumeHandler } from '#functions/consume/handler';
import { handleHandler } from '#functions/handle/handler';
import { startCloud } from '#local/cloud';
import { steppedClock } from '#local/kit/stepped-clock';
import { settingsOf, ticketsInput } from '#test/config/pipeline-input';
import { compose, removeTemporary } from '#test/infra/synthesize';
import { eventOf } from '#test/pipeline/consume-world';

const MINUTE_MS = 60_000;
const KEYS = 10;
/** Versions of each key that are put at once. */
const VERSIONS = 5;
const PUT = KEYS * VERSIONS;
const ROUNDS = 8;
afterAll(removeTemporary);

const handler = (name: string) => ({
  kind: 'handler' as const,
  name,
  file: './any.ts',
  per: 'record' as const,
  timeoutSec: 60,
});

const INPUT: PipelineInput = ticketsInput({
  record: { key: 'order_id', version: 'at', eventTime: 'at' },
  stream: { load: { recordsPerSecPeak: 100, recordBytesMean: 500 } },
  consumers: [{ kind: 'table', name: 'latest' }, ...['mail', 'broken', 'slow'].map(handler)],
  alarms: { iteratorAgeMinutes: 10 },
});

/** A cloud with the app in it, whose handlers do what a test says. */
async function world(handlers: Readonly<Record<string, HandleRecord>>) {
  const settings = settingsOf(INPUT);
  const app = await compose([INPUT]);
  const functions = new Map<string, (event: never, context: never) => Promise<unknown>>();
  const names = ['latest', ...Object.keys(handlers)];
  const make = (name: string) => {
    const way = { requestHandler: cloud.requestHandler };
    const handle = handlers[name];
    if (handle === undefined) return consumeHandler(settings, name, way);
    return handleHandler(settings, name, defineHandler(handle), way);
  };
  const cloud = await startCloud({
    cdkOut: app.synth(),
    clock: steppedClock(Date.UTC(2031, 4, 6, 7)),
    seed: 11,
    port: false,
    parameters: { TicketsApiUrl: 'http://nowhere.example' },
    handlers: {
      // Nothing is polled here, and nothing given up.
      'penstock-test-tickets-poll': async () => ({}),
      'penstock-test-tickets-recover': async () => ({}),
      ...Object.fromEntries(
        names.map((name) => [
          `penstock-test-tickets-consume-${name}`,
          async (event: unknown, context: unknown) => {
            const made = functions.get(name) ?? make(name);
            functions.set(name, made as never);
            return made(event as never, context as never);
          },
        ]),
      ),
    },
  });
  onTestFinished(() => cloud.stop());
  const kinesis = new KinesisClient(cloud.client);
  const dynamodb = new DynamoDBClient(cloud.client);
  let version = 0;
  return {
    cloud,
    rows: () => scanAll(dynamodb, 'penstock-test-tickets-latest'),
    /** More versions of every key. */
    async put() {
      const Records = Array.from({ length: PUT }, (_, at) => {
        const key = `k${at % KEYS}`;
        const event = eventOf({ key, version: version + Math.floor(at / KEYS) + 1 });
        return { PartitionKey: key, Data: Buffer.from(JSON.stringify(event)) };
      });
      version += VERSIONS;
      await kinesis.send(new PutRecordsCommand({ StreamName: 'penstock-test-tickets', Records }));
    },
    /** Records behind the tip, and whether any place is saved. */
    async standing(consumer: string) {
      const of = { stage: 'test', pipeline: 'tickets', consumer };
      const connection = { kinesis, dynamodb, place: 'here', close() {}, signed: nobody };
      const rows = await measureLag(connection, of);
      return {
        behind: rows.reduce((sum, { behindRecords }) => sum + (behindRecords ?? Infinity), 0),
        checkpoints: rows.map(({ checkpoint }) => checkpoint),
      };
    },
    ringing: () =>
      cloud
        .alarms()
        .filter(({ state }) => state === 'ALARM')
        .map(({ name }) => name.replace('penstock-test-tickets-', '')),
  };
}

const nobody = () => Promise.reject(new Error('no other service is asked'));

test('a group that fails, or is slow, stands or lags alone; mended, it catches up in order', async () => {
  let isBroken = true;
  const mailed: string[] = [];
  const caughtUp: string[] = [];
  const { cloud, put, rows, standing, ringing } = await world({
    mail: async ({ id }) => void mailed.push(id),
    broken: async ({ id }) => {
      if (isBroken) throw new Error('the mailbox is full');
      caughtUp.push(id);
    },
    slow: () => new Promise((resolve) => setTimeout(resolve, 40_000)),
  });
  const behind: number[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    await put();
    await cloud.step(3 * MINUTE_MS);
    expect(await standing('latest')).toMatchObject({ behind: 0 });
    expect(await standing('mail')).toMatchObject({ behind: 0 });
    const broken = await standing('broken');
    expect(broken.behind).toBe(round * PUT);
    expect(broken.checkpoints.every((place) => place === null)).toBe(true);
    behind.push((await standing('slow')).behind);
  }
  expect(behind.at(-1)).toBeGreaterThan(0);
  expect((await standing('slow')).checkpoints.some((place) => place !== null)).toBe(true);
  expect(mailed).toHaveLength(ROUNDS * PUT);
  expect(await rows()).toHaveLength(KEYS);
  const rings = ringing();
  expect(rings).toContain('iterator-age-broken');
  expect(rings.filter((name) => /-(latest|mail)$/.test(name))).toEqual([]);

  isBroken = false;
  await cloud.step(30 * MINUTE_MS);
  expect(await standing('broken')).toMatchObject({ behind: 0 });
  for (let key = 0; key < KEYS; key++) {
    const ids = caughtUp.filter((id) => id.startsWith(`k${key}@`));
    const all = Array.from({ length: ROUNDS * VERSIONS }, (_, n) => `k${key}@${n + 1}#${n + 1}`);
    expect(ids).toEqual(all);
  }
});
