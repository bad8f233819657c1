/** Turns in memory: the reference for their contract. */
import type { Turn, Turns } from '#ports/turns';

export function memoryTurns(): Turns {
  const latest = new Map<string, Pick<Turn, 'number' | 'untilMs'>>();
  return {
    async take({ name, nowMs, lengthMs }) {
      const before = latest.get(name) ?? { number: 0, untilMs: 0 };
      if (before.untilMs > nowMs) return { kind: 'held', untilMs: before.untilMs };
      const turn = { number: before.number + 1, untilMs: nowMs + lengthMs };
      latest.set(name, turn);
      return { kind: 'taken', name, ...turn };
    },
    async giveBack({ name, number }) {
      if (latest.get(name)?.number === number) latest.set(name, { number, untilMs: 0 });
    },
  };
}
