/** What a person waits for before the first word. */
import { spawnSync } from 'node:child_process';
import type { Row } from './row.ts';

const ROUNDS = 15;

/** Each round measures both, so that a busy moment hits both; the fastest of each is compared. */
export function helpRow(): Row {
  const help: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    bare.push(timeNode('-e', '0'));
    help.push(timeNode('bin/penstock.mjs', '--help'));
  }
  return {
    what: '`penstock --help` ÷ starting Node',
    unit: '×',
    value: Math.min(...help) / Math.min(...bare),
    bound: 4,
  };
}

function timeNode(...args: readonly string[]): number {
  const startedMs = performance.now();
  spawnSync(process.execPath, args);
  return performance.now() - startedMs;
}
