/** CPU time of contestants over one batch, in turns, so that a busy moment hits all of them. */
import type { KinesisStreamEvent } from 'aws-lambda';
import type { Contestant } from './consumers.ts';

export interface CpuSample {
  readonly name: string;
  /** Median of the rounds, in µs a record. */
  readonly us: number;
  /** Lowest and highest of them. */
  readonly spread: readonly [number, number];
}

const TIMES = 20;

export async function cpuOf(
  contestants: readonly Contestant[],
  event: KinesisStreamEvent,
  rounds: number,
): Promise<readonly CpuSample[]> {
  const samples = new Map<string, number[]>(contestants.map(({ name }) => [name, []]));
  // The first rounds warm up, and are not counted.
  for (let round = -2; round < rounds; round++) {
    for (const { name, take } of contestants) {
      globalThis.gc?.();
      const before = process.cpuUsage();
      for (let time = 0; time < TIMES; time++) await take(event);
      const { user, system } = process.cpuUsage(before);
      if (round >= 0) samples.get(name)?.push((user + system) / TIMES / event.Records.length);
    }
  }
  return contestants.map(({ name }) => {
    const sorted = (samples.get(name) ?? []).toSorted((a, b) => a - b);
    const us = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
    return { name, us, spread: [sorted[0] ?? Number.NaN, sorted.at(-1) ?? Number.NaN] };
  });
}
