/** penstock up, from the first line to the last, and the commands that speak to it. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { synthesize } from '#cli/cloud/synthesize';
import { ordersApi } from '#demo/orders-api';
import { freePort } from '#test/clouds/free-port';

const TOKEN = 'token-of-the-test';
const source = ordersApi({
  seed: 5,
  changes: 300,
  seconds: 0.001,
  speed: 60,
  token: TOKEN,
  realMs: () => performance.now(),
});
let env: NodeJS.ProcessEnv;
let port: number;
let up: { child: ChildProcess; said: { out: string; err: string } };

function start(...args: string[]) {
  const child = spawn(process.execPath, ['bin/penstock.ts', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
  });
  const said = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => void (said.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => void (said.err += chunk.toString()));
  return { child, said };
}

async function run(...args: string[]) {
  const { child, said } = start(...args);
  const [code] = (await once(child, 'close')) as [number];
  return { code, ...said };
}

async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 100));
}

/** Children of a process, as Linux tells them; empty elsewhere. */
async function childrenOf(pid: number | undefined): Promise<string[]> {
  const { child, said } = {
    child: spawn('ps', ['-o', 'pid=', '--ppid', String(pid)]),
    said: { out: '' },
  };
  child.stdout.on('data', (chunk: Buffer) => void (said.out += chunk.toString()));
  await once(child, 'close');
  return said.out
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

const isAlive = (pid: string): boolean => {
  try {
    return process.kill(Number(pid), 0);
  } catch {
    return false;
  }
};

beforeAll(async () => {
  await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve));
  port = await freePort();
  const { port: sourcePort } = source.address() as AddressInfo;
  const { AWS_ENDPOINT_URL: _none, ...rest } = process.env;
  env = {
    ...rest,
    ORDERS_API_URL: `http://127.0.0.1:${sourcePort}/orders`,
    ORDERS_API_TOKEN: TOKEN,
    PAYMENTS_API_URL: 'http://127.0.0.1:9/payments',
    PAYMENTS_API_TOKEN: TOKEN,
    QUAKES_API_URL: 'http://127.0.0.1:9/query',
    AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
  };
  up = start('up', '--port', String(port));
  await until(() => up.said.out.includes('Ctrl-C stops it.') || up.child.exitCode !== null);
});

afterAll(async () => {
  if (up.child.exitCode === null) up.child.kill('SIGKILL');
  source.closeAllConnections();
  await new Promise((resolve) => source.close(resolve));
});

test('it says where it is, in lines to copy', () => {
  expect(up.said.err).toBe('');
  expect(up.said.out).toContain(`orders, payments, quakes up at http://127.0.0.1:${port}.`);
  expect(up.said.out).toContain(`export AWS_ENDPOINT_URL=http://127.0.0.1:${port}\n`);
  expect(up.said.out).toContain('export AWS_REGION=us-east-1\n');
});

test('a second cloud on the same port is refused in one sentence', async () => {
  const { code, err } = await run('up', '--port', String(port));
  expect(code).toBe(1);
  expect(err).toMatch(/^Port \d+ is taken: .*\n$/);
});

test('a poll brings rows into the table, exact, and the lag falls to nothing', async () => {
  const polled = async () =>
    JSON.parse((await run('poll', 'orders', '--once', '--json')).out) as { kind: string };
  await until(async () => (await polled()).kind === 'caught-up');
  await until(async () => {
    const { out } = await run('lag', 'orders', '--json');
    const rows = JSON.parse(out) as { behindRecords: number; checkpoint: string | null }[];
    return (
      rows.every(({ behindRecords }) => behindRecords === 0) &&
      rows.some(({ checkpoint }) => checkpoint !== null)
    );
  });
  const { code, out } = await run('get', 'orders', 'ord-000003', '--json');
  expect(code).toBe(0);
  expect(out).toMatch(/"order_id":"ord-000003"/);
});

test('a poll that fails says why, and exits with 1', async () => {
  const { code, out } = await run('poll', 'quakes', '--once');
  expect(code).toBe(1);
  expect(out).toMatch(/^quakes: failed \(/);
});

test('a key that is not there is one sentence and exit code 1; leading zeros stay', async () => {
  expect(await run('get', 'orders', '00123')).toEqual({
    code: 1,
    out: '',
    err: "The table penstock-dev-orders-orders holds no '00123'.\n",
  });
});

test('SIGINT ends it clean: exit code 0, no process left, the port free', async () => {
  const children = await childrenOf(up.child.pid);
  expect(children.length).toBeGreaterThan(0);
  up.child.kill('SIGINT');
  const [code] = (await once(up.child, 'close')) as [number];
  expect(code).toBe(0);
  expect(up.said.out).toMatch(/Stopped\.\n$/);
  expect(children.filter(isAlive)).toEqual([]);
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  await new Promise((resolve) => server.close(resolve));
});

test('up runs an app that is synthesized already, and leaves it where it is', async () => {
  const cdkOut = mkdtempSync(join(tmpdir(), 'penstock-cdk-out-'));
  onTestFinished(() => rmSync(cdkOut, { recursive: true }));
  await synthesize({ stage: 'dev', cdkOut, env });
  const files = readdirSync(cdkOut);
  const { child, said } = start('up', '--port', String(port), '--cdk-out', cdkOut);
  onTestFinished(() => void child.kill('SIGKILL'));
  await until(() => said.out.includes('Ctrl-C stops it.') || child.exitCode !== null);
  expect(said.err).toBe('');
  child.kill('SIGINT');
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(readdirSync(cdkOut)).toEqual(files);
});
