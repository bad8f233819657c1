/** PollStateStore and PollControl in memory: the reference for their contracts. */
import type { PollControl, PollStanding } from '#ports/poll-control';
import type { PollStateStore } from '#ports/poll-state';

const NEW: PollStanding = {
  epoch: 0,
  leaseUntilMs: 0,
  cursor: undefined,
  notBeforeMs: 0,
  savedAtMs: undefined,
  firstAtMs: undefined,
  succeededAtMs: undefined,
  end: undefined,
  failing: undefined,
  pause: undefined,
};

export function memoryPollStateStore(): PollStateStore & PollControl {
  const standings = new Map<string, PollStanding>();
  const standing = (pipeline: string) => standings.get(pipeline) ?? NEW;
  const change = (pipeline: string, members: Partial<PollStanding>) =>
    void standings.set(pipeline, { ...standing(pipeline), ...members });

  return {
    async acquire({ pipeline, nowMs, leaseMs }) {
      const {
        epoch: before,
        leaseUntilMs,
        cursor,
        notBeforeMs,
        pause,
        firstAtMs,
        failing,
        sent,
      } = standing(pipeline);
      if (pause !== undefined) return { kind: 'paused', pause };
      if (leaseUntilMs > nowMs) return { kind: 'held', untilMs: leaseUntilMs };
      const [epoch, untilMs] = [before + 1, nowMs + leaseMs];
      change(pipeline, { epoch, leaseUntilMs: untilMs, firstAtMs: firstAtMs ?? nowMs });
      return {
        kind: 'acquired',
        lease: { pipeline, epoch, untilMs },
        state: { cursor, notBeforeMs, ...sentIn(sent) },
        failing,
      };
    },
    async save(lease, { cursor, notBeforeMs, sent }, untilMs) {
      const { epoch, cursor: before } = standing(lease.pipeline);
      if (epoch !== lease.epoch) return undefined;
      const savedAtMs = Date.now();
      const state = { cursor: cursor ?? before, notBeforeMs, savedAtMs };
      change(lease.pipeline, { leaseUntilMs: untilMs, ...state, ...sentIn(sent) });
      return { ...lease, untilMs };
    },
    async release({ pipeline, epoch }, ended, sent) {
      if (standing(pipeline).epoch !== epoch) return;
      change(pipeline, { leaseUntilMs: 0, ...sentIn(sent) });
      if (ended === undefined) return;
      const { succeeded, failing, ...end } = ended;
      change(pipeline, {
        end,
        ...(failing === undefined ? {} : { failing }),
        ...(succeeded ? { succeededAtMs: end.atMs, failing: undefined } : {}),
      });
    },
    read: async (pipeline) => standings.get(pipeline),
    async pause(pipeline, { sinceMs, reason }) {
      const { pause: before } = standing(pipeline);
      const pause = { sinceMs: before?.sinceMs ?? sinceMs, reason: reason ?? before?.reason };
      change(pipeline, { pause });
    },
    async resume(pipeline) {
      const { pause, failing } = standing(pipeline);
      if (pause === undefined && !failing?.retryAtMs) return false;
      change(pipeline, { pause: undefined, failing: failing && { ...failing, retryAtMs: 0 } });
      return true;
    },
    async setCursor(pipeline, cursor) {
      const epoch = standing(pipeline).epoch + 1;
      change(pipeline, { epoch, cursor, savedAtMs: undefined });
    },
  };
}

function sentIn(sent: string | undefined): { readonly sent?: string } {
  return sent === undefined ? {} : { sent };
}
