import type { Simulation } from './run-schedules.ts';

/** Runs the first schedules of a simulation: what they reached. @throws {Error} naming the seed where a law is broken. */
export async function reachedBy(
  runSchedule: Simulation['runSchedule'],
  schedules: number,
): Promise<readonly string[]> {
  const reached = new Set<string>();
  for (let seed = 1; seed <= schedules; seed++) {
    try {
      const { reached: now } = await runSchedule(seed);
      for (const what of now.keys()) reached.add(what);
    } catch (cause) {
      throw new Error(`seed ${seed}`, { cause });
    }
  }
  return [...reached];
}
