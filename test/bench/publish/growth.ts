/** How time and memory of publishing grow with the records, each size in a fresh process. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Grown } from './growth-run.ts';
import { middleOf } from './measure.ts';
import type { Middle } from './measure.ts';

export interface GrownTo {
  readonly count: number;
  readonly ms: Middle;
  readonly rssMb: Middle;
}

/** Without a bound the engine lets garbage lie as long as the machine has memory. */
const HEAP = ['--max-old-space-size=128', '--max-semi-space-size=2'];

/** Measure each count as often as said, smallest to largest in turns. */
export function growthOf(
  url: string,
  ask: { readonly counts: readonly number[]; readonly keys: number; readonly rounds: number },
): readonly GrownTo[] {
  const rounds = Array.from({ length: ask.rounds }, () =>
    ask.counts.map((count) => run(url, count, ask.keys)),
  );
  return ask.counts.map((count, at) => {
    const middle = (of: (grown: Grown) => number) =>
      middleOf(rounds.map((grown) => of(grown[at] as Grown)));
    return { count, ms: middle(({ ms }) => ms), rssMb: middle(({ rssMb }) => rssMb) };
  });
}

/** The power of the count by which the time grows: the slope of its logarithms, by least squares. */
export function exponentOf(grown: readonly GrownTo[]): number {
  const points = grown.map(({ count, ms }) => [Math.log(count), Math.log(ms.median)] as const);
  const mean = (of: (point: readonly [number, number]) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [x, y] = [mean((point) => point[0]), mean((point) => point[1])];
  const covariance = mean((point) => (point[0] - x) * (point[1] - y));
  return covariance / mean((point) => (point[0] - x) ** 2);
}

function run(url: string, count: number, keys: number): Grown {
  const file = join(import.meta.dirname, 'growth-run.ts');
  const args = [...HEAP, '--expose-gc', file, url, String(count), String(keys)];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (stdout === '') throw new Error(`${count} records were not published: ${stderr}`);
  return JSON.parse(stdout) as Grown;
}
