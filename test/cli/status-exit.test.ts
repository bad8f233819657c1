/** What `penstock status` calls wrong: what it says of it, and its exit code. */
import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { dynamoPollControl } from '#adapters/dynamodb/poll-control';
import { dynamoPollStateStore } from '#adapters/dynamodb/poll-state-store';
import { systemClock } from '#adapters/system/clock';
import { cloudAnswering, said } from './cloud-answering.ts';
import { pollCommands } from './poll-commands.ts';

const QUAKES_TABLE: CreateTableCommandInput = {
  TableName: 'penstock-dev-quakes-quakes',
  BillingMode: 'PAY_PER_REQUEST',
  KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
  AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
};

/** A stage in which orders is deployed, and no other pipeline. */
async function ordersDeployed() {
  const { run, buckets, connection } = await pollCommands();
  buckets.createBucket('penstock-dev-orders-refused-000000000000-us-east-1');
  const status = (...argv: string[]) => run(['status', ...argv]);
  return { status, dynamodb: connection.dynamodb };
}

test('CLI-07: what is missing of some pipelines is said in their lines and in the headline: exit code 1', async () => {
  const { status, dynamodb } = await ordersDeployed();
  await dynamodb.send(new CreateTableCommand(QUAKES_TABLE));
  const { code, out, err } = await status('orders', 'quakes');
  expect({ code, err }).toEqual({ code: 1, err: '1 of 2 pipelines cannot be read whole.\n' });
  const [, orders, quakes] = out.split('\n');
  expect(orders).toMatch(/^orders +never +reading from the start +orders 0 behind +0$/);
  expect(quakes).toMatch(
    /^quakes +never .* \? +\? +The stream penstock-dev-quakes is missing: is it deployed in this stage\?$/,
  );
});

test('a pipeline that is not deployed says so, and is no fault unless it is asked for', async () => {
  const { status } = await ordersDeployed();
  const all = await status();
  expect({ code: all.code, err: all.err }).toEqual({ code: 0, err: '' });
  const [, orders, payments] = all.out.split('\n');
  expect(orders).toMatch(/^orders +never +reading from the start/);
  expect(payments).toMatch(/^payments +– +not deployed +– +–$/);
  const { code, out, err } = await status('quakes', 'orders', '--json');
  expect({ code, err }).toEqual({ code: 1, err: 'Not deployed in the stage dev: quakes.\n' });
  expect(JSON.parse(out)).toMatchObject([
    { pipeline: 'quakes', deployed: false, source: null },
    { pipeline: 'orders', deployed: true },
  ]);
});

test('a poll that failed last is something wrong: exit code 1, unless it is paused', async () => {
  const { status, dynamodb } = await ordersDeployed();
  const tableName = 'penstock-dev-state';
  const states = dynamoPollStateStore(dynamodb, { tableName, clock: systemClock });
  const nowMs = Date.now();
  const taken = await states.acquire({ pipeline: 'orders', nowMs, leaseMs: 1 });
  if (taken.kind !== 'acquired') throw new Error(`not to be had: ${taken.kind}`);
  await states.release(taken.lease, {
    outcome: 'failed',
    atMs: nowMs,
    succeeded: false,
    detail: 'the source answered status 503',
  });
  const { code, out } = await status('orders');
  expect(code).toBe(1);
  expect(out).toContain('last poll failed: the source answered status 503');
  await dynamoPollControl(dynamodb, { tableName }).pause('orders', { sinceMs: nowMs, reason: 'x' });
  expect((await status('orders')).code).toBe(0);
});

test.each([
  [200, '{}'],
  [200, ''],
  [200, '<!doctype html><title>Hello</title>'],
  [404, '<!doctype html><title>Not found</title>'],
  [404, '{"error":"not found"}'],
  [501, '<!doctype html><title>Unsupported method</title>'],
])('what answers %i %j is no cloud: exit code 1', async (httpStatus, body) => {
  const url = await cloudAnswering(httpStatus, body);
  expect(await said('status', '--cloud', url)).toEqual({
    code: 1,
    out: '',
    err: 'What answers there is no AWS service: --cloud or AWS_ENDPOINT_URL holds another address.\n',
  });
});

test('what is missing of all pipelines is said once', async () => {
  const { status } = await ordersDeployed();
  expect(await status('--stage', 'prod')).toEqual({
    code: 1,
    out: '',
    err: 'The table penstock-prod-state is missing: is it deployed in this stage?\n',
  });
});
