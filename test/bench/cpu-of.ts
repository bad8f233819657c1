/** CPU time of contestants over one batch, turn by turn, so that a busy moment hits all of them. */
import { medianOf } from './median-of.ts';

export interface Contestant<Batch> {
  readonly name: string;
  take(batch: Batch): unknown;
}

export interface CpuAsk<Batch> {
  readonly batch: Batch;
  readonly records: number;
  readonly rounds: number;
}

export interface CpuSample {
  readonly name: string;
  /** Median of the rounds, in µs a record. */
  readonly us: number;
  /** Each round's. */
  readonly rounds: readonly number[];
}

const TIMES = 20;

export async function cpuOf<Batch>(
  contestants: readonly Contestant<Batch>[],
  { batch, records, rounds }: CpuAsk<Batch>,
): Promise<readonly CpuSample[]> {
  const samples = contestants.map((): number[] => []);
  // Who runs on and on holds its latest batch: were that collected, so would be the code that is made for it.
  const held: unknown[] = [];
  // The first rounds warm up, and are not counted.
  for (let round = -2; round < rounds; round++) {
    globalThis.gc?.();
    const used = contestants.map(() => 0);
    for (let time = 0; time < TIMES; time++) {
      for (const [at, { take }] of contestants.entries()) {
        const before = process.cpuUsage();
        held[at] = await take(batch);
        const { user, system } = process.cpuUsage(before);
        used[at] = (used[at] ?? 0) + user + system;
      }
    }
    if (round < 0) continue;
    for (const [at, us] of used.entries()) samples[at]?.push(us / TIMES / records);
  }
  return contestants.map(({ name }, at) => {
    const taken = samples[at] ?? [];
    return { name, us: medianOf(taken), rounds: taken };
  });
}
