/** The demo's own numbers: one run, in a process of its own. */
import { spawnSync } from 'node:child_process';
import type { Row } from './row.ts';

const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;

/** @throws {Error} when the demo does not reconcile: a fast wrong answer is no measurement. */
export function demoRows(): readonly Row[] {
  const { stdout, stderr } = spawnSync('npm', ['start', '--silent', '--', '--json'], {
    encoding: 'utf8',
    maxBuffer: OUTPUT_BYTES_MAX,
  });
  const found: DemoNumbers = JSON.parse(stdout || '{}');
  if (!found.holds) throw new Error(`the demo did not reconcile: ${stderr || stdout}`);
  const seconds = (ms: number) => ms / 1000;
  return [
    { what: 'demo, start to first row', unit: 's', value: seconds(found.firstRowMs), bound: 5 },
    { what: 'demo, start to reconciliation', unit: 's', value: seconds(found.totalMs), bound: 30 },
    {
      what: 'demo, peak of the main process',
      unit: 'MB',
      value: found.peakRssBytes / 1e6,
      bound: 300,
    },
  ];
}

interface DemoNumbers {
  readonly holds: boolean;
  readonly firstRowMs: number;
  readonly totalMs: number;
  readonly peakRssBytes: number;
}
