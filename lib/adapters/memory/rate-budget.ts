/** RateBudget in memory: the reference for its contract. */
import type { RateBudget } from '#ports/rate-budget';

interface Line {
  readonly takenMs: number;
  readonly heldUntilMs: number;
}

export function memoryRateBudget(): RateBudget {
  const lines = new Map<string, Line>();
  const lineOf = (api: string): Line => lines.get(api) ?? { takenMs: 0, heldUntilMs: 0 };
  return {
    async take({ api, nowMs, spanMs, latestMs }) {
      const { takenMs, heldUntilMs } = lineOf(api);
      const fromMs = Math.max(takenMs, nowMs);
      if (fromMs > latestMs) return { kind: 'later', fromMs };
      lines.set(api, { takenMs: fromMs + spanMs, heldUntilMs });
      return { kind: 'taken', fromMs, heldUntilMs };
    },
    async hold(api, untilMs) {
      const { takenMs, heldUntilMs } = lineOf(api);
      lines.set(api, {
        takenMs: Math.max(takenMs, untilMs),
        heldUntilMs: Math.max(heldUntilMs, untilMs),
      });
    },
    heldUntilMs: async (api) => lineOf(api).heldUntilMs,
  };
}
