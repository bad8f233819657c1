/** Quarantine in memory: the reference for its contract. */
import type { Quarantine, Refused } from '#ports/quarantine';

export interface MemoryQuarantine extends Quarantine {
  readonly kept: () => readonly Refused[];
}

export function memoryQuarantine(): MemoryQuarantine {
  const places = new Map<string, Refused>();
  return {
    kept: () => [...places.values()],
    async put(refused) {
      const { pipeline, stage, reason, place } = refused;
      places.set(JSON.stringify([pipeline, stage, reason, place]), refused);
    },
  };
}
