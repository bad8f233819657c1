/** CPU time of contestants over one batch, in turns, so that a busy moment hits all of them. */
import type { KinesisStreamEvent } from 'aws-lambda';
import type { Contestant } from './consumers.ts';
import { medianOf } from './median-of.ts';

export interface CpuSample {
  readonly name: string;
  /** Median of the rounds, in µs a record. */
  readonly us: number;
  /** Each round's. */
  readonly rounds: readonly number[];
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
    const taken = samples.get(name) ?? [];
    return { name, us: medianOf(taken), rounds: taken };
  });
}
