/** PollStateStore in memory: the reference for its contract. */
import type { PollState, PollStateStore } from '#ports/poll-state';

interface Entry {
  epoch: number;
  leaseUntilMs: number;
  state: PollState;
}

export function memoryPollStateStore(): PollStateStore {
  const entries = new Map<string, Entry>();
  const owned = (pipeline: string, epoch: number) => {
    const entry = entries.get(pipeline);
    return entry?.epoch === epoch ? entry : undefined;
  };
  return {
    async acquire({ pipeline, nowMs, leaseMs }) {
      const entry = entries.get(pipeline);
      if (entry && entry.leaseUntilMs > nowMs) return { kind: 'held', untilMs: entry.leaseUntilMs };
      const untilMs = nowMs + leaseMs;
      const epoch = (entry?.epoch ?? 0) + 1;
      const state = entry?.state ?? { cursor: undefined, notBeforeMs: 0 };
      entries.set(pipeline, { epoch, leaseUntilMs: untilMs, state });
      return { kind: 'acquired', lease: { pipeline, epoch, untilMs }, state };
    },
    async save(lease, state, untilMs) {
      const entry = owned(lease.pipeline, lease.epoch);
      if (!entry) return undefined;
      entry.leaseUntilMs = untilMs;
      entry.state = { ...state, cursor: state.cursor ?? entry.state.cursor };
      return { ...lease, untilMs };
    },
    async release(lease) {
      const entry = owned(lease.pipeline, lease.epoch);
      if (entry) entry.leaseUntilMs = 0;
    },
  };
}
