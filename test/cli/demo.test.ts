/** The demo as a whole, as a program runs it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';

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

test('penstock demo --json ends by itself, and what it prints says that every promise holds', async () => {
  const args = ['bin/penstock.ts', 'demo', '--json', '--changes', '3000', '--seed', '11'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => void (said.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => void (said.err += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];

  expect({ code, err: said.err }).toEqual({ code: 0, err: '' });
  const found = JSON.parse(said.out) as {
    holds: boolean;
    pipelines: Record<'orders' | 'quakes', Facts>;
  };
  expect(found.holds).toBe(true);
  for (const name of ['orders', 'quakes'] as const) {
    const { sourceRows, tableRows, lost, reordered, askedTooEarly } = found.pipelines[name];
    expect({ tableRows, lost: lost.count, reordered: reordered.count, askedTooEarly }).toEqual({
      tableRows: sourceRows,
      lost: 0,
      reordered: 0,
      askedTooEarly: 0,
    });
  }
  expect(found.pipelines.quakes.sourceRows).toBe(1_707);
  expect(found.pipelines.orders.sourceDeleted).toBe(found.pipelines.orders.tombstones);
  expect(found.pipelines.orders.quarantined).toEqual({ 'no-key': 1 });
}, 150_000);
