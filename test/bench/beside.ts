/** Contestants beside each other, as rows of a table. */
import type { CpuSample } from './cpu-of.ts';
import { medianOf } from './median-of.ts';
import type { Row } from './row.ts';

/** The first beside each other: medians of the ratios in each round. */
export function beside(
  [first, ...others]: readonly CpuSample[],
  { what, bounds }: { readonly what: string; readonly bounds: readonly number[] },
): readonly Row[] {
  if (first === undefined) throw new Error('each contestant has a sample');
  return others.map((other, at) => ({
    what: `${what}: ${shown(first)} ÷ ${shown(other)}`,
    unit: '×',
    value: medianOf(first.rounds.map((us, round) => us / (other.rounds[round] ?? Number.NaN))),
    bound: bounds[at] ?? Number.NaN,
  }));
}

function shown({ name, us, rounds }: CpuSample): string {
  return `${name}, ${us.toFixed(1)} µs (${Math.min(...rounds).toFixed(1)}–${Math.max(...rounds).toFixed(1)})`;
}
