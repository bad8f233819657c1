/** Poison, an outage and a record that never ends: the guide to quarantine, followed, brings all into the table. */
import { spawn } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PutRecordCommand } from '@aws-sdk/client-kinesis';
import { expect, onTestFinished, test, vi } from 'vitest';
import { quarantineId } from '#adapters/objects/quarantine-key';
import { startPipelines } from '#cli/cloud/start';
import { readLogs } from '#cli/log-reader';
import { PROJECT_ROOT } from '#cli/project';
import { listQuarantine } from '#cli/quarantine-reader';
import { newStage, scratch, synthesizeApp } from '#test/clouds/app';
import { faultProxy, refusal } from '#test/clouds/fault-proxy';
import { guideBlocks } from '#test/docs/guide-blocks';
import { sourceRows, tableRows, WAIT } from './tickets-app.ts';
import { fill, TICKETS_FILE, TICKETS_TOKEN, ticketsSource } from './tickets-source.ts';
import type { TicketsSource } from './tickets-source.ts';

const GUIDE = 'docs/guide/quarantine.md';
/** The record that never ends while it is not let. */
const HOPELESS = 'ticket-7';
const BUCKET_END = 'orders-refused-000000000000-us-east-1';

/** Named as a shipped pipeline, so that the commands know its names. */
const PIPELINE = TICKETS_FILE.replace("name: 'tickets',", "name: 'orders',").replace(
  "consumers: [{ kind: 'table', name: 'tickets' }]",
  "consumers: [{ kind: 'table', name: 'orders', batchSize: 20, retryAttempts: 0 }]",
);

test('what was refused and what was given up is in the table in the end, and quarantine holds what poll refused', async () => {
  const source = await ticketsSource();
  const world = await openWorld(source);
  const agree = async () => expect(await world.rows()).toEqual(sourceRows(source));
  fill(source, 0, 60);
  source.serve({ subject: 'without a key' });
  await vi.waitFor(agree, WAIT);

  // The table is down until batches are given up.
  world.table.is = 'down';
  fill(source, 60, 60);
  source.change(HOPELESS);
  await vi.waitFor(async () => expect((await world.kept('aws')).length).toBeGreaterThan(0), WAIT);
  world.table.is = 'hopeless';
  source.serve({ ticket_id: 'heavy', text: 'y'.repeat(410_000) });
  await world.put('{"torn');
  await vi.waitFor(async () => {
    expect(await world.kept('aws')).toEqual([]);
    expect(without(await world.rows(), HOPELESS)).toEqual(without(sourceRows(source), HOPELESS));
    expect(await world.kept('orders')).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^orders\/given-up\//),
        expect.stringMatching(/^orders\/item-too-large\//),
        expect.stringMatching(/^orders\/not-json\//),
      ]),
    );
  }, WAIT);
  expect(await world.recovered()).toBeGreaterThan(0);

  world.table.is = 'well';
  await world.follow();
  await agree();
  // What a person tore by hand, mended by the same hand.
  await world.run('npx penstock redrive orders --consumer orders --all --edit');
  expect((await world.kept('orders')).concat(await world.kept('aws'))).toEqual([]);
  expect(await world.kept('poll')).toHaveLength(1);
  await agree();
});

async function openWorld(source: TicketsSource) {
  const table = { is: 'well' as 'well' | 'down' | 'hopeless' };
  const stage = newStage();
  const tableName = `penstock-${stage}-orders-orders`;
  const proxy = await faultProxy(({ body }, forward) => {
    const isRow = body['TableName'] === tableName;
    const isHopeless = JSON.stringify(body).includes(`"${HOPELESS}"`);
    const isRefused = table.is === 'down' || (table.is === 'hopeless' && isHopeless);
    return isRow && isRefused
      ? Promise.resolve(refusal('InternalServerError', 500))
      : forward(body);
  });
  const env = { TICKETS_API_URL: source.url, TICKETS_API_TOKEN: TICKETS_TOKEN };
  const functionEnv = {
    '-consume-orders': { AWS_ENDPOINT_URL_DYNAMODB: proxy.url },
    '-recover': { PENSTOCK_WAIT_MINUTES: '0.5' },
  };
  const app = await synthesizeApp({ pipeline: PIPELINE, env, functionEnv }, stage);
  const cloud = await startPipelines({ ...app, tempo: true, port: 0 });
  onTestFinished(cloud.stop);
  proxy.pass(cloud.endpoint);
  const { connection, endpoint } = cloud;
  const send = await connection.signed('s3');
  const kept = async (prefix: string) => {
    const keys = await listQuarantine(send, `penstock-${stage}-${BUCKET_END}`);
    return keys.filter((key) => key.startsWith(`${prefix}/`));
  };
  const directory = await scratch();
  const variables = async () => ({
    AWS_ENDPOINT_URL: endpoint,
    NO_COLOR: '1',
    FILE: join(directory, 'refused.jsonl'),
    EDITOR: editorIn(directory, source),
    ID: quarantineId((await kept('orders'))[0] ?? '').slice(0, 8),
  });
  const run = async (commands: string) => shell(inStage(commands, stage), await variables());

  return {
    table,
    kept,
    run,
    rows: async () => without(await tableRows({ stage, connection }, tableName), 'heavy'),
    async put(text: string) {
      const record = { StreamName: `penstock-${stage}-orders`, PartitionKey: 'ticket-3' };
      await connection.kinesis.send(new PutRecordCommand({ ...record, Data: Buffer.from(text) }));
    },
    /** Records that the function for given-up batches brought to an end. */
    async recovered() {
      let records = 0;
      const functions = [`penstock-${stage}-orders-recover`];
      const logs = await connection.signed('logs');
      for await (const { message } of readLogs(logs, { functions, sinceMs: 0 })) {
        if (!message.includes('"DocumentRecovered"')) continue;
        records += (JSON.parse(message) as { recovered?: number }).recovered ?? 0;
      }
      return records;
    },
    /** Runs every block of the guide, in its order. */
    async follow() {
      for (const { place, commands, verdict } of guideBlocks(GUIDE)) {
        expect([place, verdict.kind]).toEqual([place, 'run']);
        const { said } = await run(commands);
        const prints = verdict.kind === 'run' ? (verdict.prints ?? '') : '';
        expect({ place, said }).toEqual({ place, said: expect.stringContaining(prints) as string });
      }
    },
  };
}

/** The stage of a reader is the one that is meant without saying; the test has its own. */
function inStage(commands: string, stage: string): string {
  return commands.replaceAll(
    /(npx penstock \w+(?: (?:list|show|export|set))? \w+)/g,
    `$1 --stage ${stage}`,
  );
}

/** A person who makes a heavy record light, and writes anew what was torn. */
function editorIn(directory: string, { rows }: TicketsSource): string {
  const path = join(directory, 'editor');
  const row = rows.get('ticket-3');
  const event = {
    specversion: '1.0',
    id: 'ticket-3@by-hand',
    source: 'penstock/orders',
    type: 'orders.upsert',
    subject: 'ticket-3',
    time: '2031-05-07T00:00:00.000Z',
    version: '0'.repeat(38),
    observed: '0000000001-0000000001',
    data: row,
  };
  const whole = join(directory, 'whole.json');
  writeFileSync(whole, JSON.stringify(event));
  const script = `#!/bin/sh
for file in "$@"; do
  if grep -q torn "$file"; then cp "${whole}" "$file"; else sed -i 's/yyyy*/light/' "$file"; fi
done
`;
  writeFileSync(path, script);
  chmodSync(path, 0o755);
  return path;
}

async function shell(commands: string, variables: Readonly<Record<string, string>>) {
  const child = spawn('bash', ['-uo', 'pipefail', '-c', commands], {
    cwd: PROJECT_ROOT,
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => void (said += text));
  }
  const code = await new Promise<number | null>((done, fail) => {
    child.once('error', fail).once('close', done);
  });
  return { code, said };
}

function without(rows: ReadonlyMap<string, string>, id: string): Map<string, string> {
  return new Map([...rows].filter(([key]) => key !== id));
}
