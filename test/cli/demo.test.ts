/** The demo as a whole, as a program runs it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { SOURCE_NAMES } from '#cli/demo/sources';
import type { SourceName } from '#cli/demo/sources';

interface Facts {
  readonly sourceRows: number;
  readonly sourceDeleted: number;
  readonly tableRows: number;
  readonly tombstones: number;
  readonly lost: { readonly count: number };
  readonly reordered: { readonly count: number };
  readonly askedTooEarly: number;
  readonly quarantined: Readonly<Record<string, number>>;
}

async function demo(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, ['bin/penstock.ts', 'demo', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  const said = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => void (said.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => void (said.err += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return { code, ...said };
}

test('where no Docker answers, --cloud localstack says so in one sentence', async () => {
  const DOCKER_HOST = 'tcp://127.0.0.1:9';
  expect(await demo(['--cloud', 'localstack'], { DOCKER_HOST })).toEqual({
    code: 1,
    out: '',
    err: `No Docker engine answers at DOCKER_HOST=${DOCKER_HOST}: start it, or unset the variable.\n`,
  });
});

test('penstock demo --json ends by itself, and what it prints says that every promise holds', async () => {
  const { code, out, err } = await demo(['--json', '--changes', '3000', '--seed', '11']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const found = JSON.parse(out) as {
    holds: boolean;
    pipelines: Record<SourceName, Facts>;
  };
  expect(found.holds).toBe(true);
  for (const name of SOURCE_NAMES) {
    const { sourceRows, tableRows, lost, reordered, askedTooEarly } = found.pipelines[name];
    expect({ tableRows, lost: lost.count, reordered: reordered.count, askedTooEarly }).toEqual({
      tableRows: sourceRows,
      lost: 0,
      reordered: 0,
      askedTooEarly: 0,
    });
  }
  expect(found.pipelines.quakes.sourceRows).toBe(1_707);
  const { orders, payments } = found.pipelines;
  expect(orders.sourceDeleted).toBe(orders.tombstones);
  expect(orders.quarantined).toEqual({ 'no-key': 1 });
  expect(payments.sourceDeleted).toBe(payments.tombstones);
  expect(payments.quarantined).toEqual({ 'no-partition-key': 1 });
});
