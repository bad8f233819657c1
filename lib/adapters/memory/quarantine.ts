/** Quarantine in memory: the reference for its contract. */
import type { Quarantine, SetAside } from '#ports/quarantine';

export interface MemoryQuarantine extends Quarantine {
  readonly kept: () => readonly SetAside[];
}

export function memoryQuarantine(): MemoryQuarantine {
  const places = new Map<string, SetAside>();
  return {
    kept: () => [...places.values()],
    async put(refused) {
      const { pipeline, stage, reason, place } = refused;
      places.set(JSON.stringify([pipeline, stage, reason, place]), refused);
    },
  };
}
