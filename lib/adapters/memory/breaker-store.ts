/** BreakerStore in memory: the reference for its contract. */
import type { BreakerMark, BreakerStore, OfConsumer } from '#ports/breaker-store';

const CLOSED: BreakerMark = { open: undefined, letUntilMs: 0 };

export function memoryBreakerStore(): BreakerStore {
  const marks = new Map<string, BreakerMark>();
  const keyOf = ({ pipeline, consumer }: OfConsumer) => JSON.stringify([pipeline, consumer]);
  const markOf = (of: OfConsumer) => marks.get(keyOf(of)) ?? CLOSED;
  return {
    read: async (of) => markOf(of),
    async open(of, breaker) {
      const mark = markOf(of);
      if (mark.open?.code !== breaker.code) marks.set(keyOf(of), { ...mark, open: breaker });
    },
    async close(of, { letUntilMs, seen }) {
      const { open } = markOf(of);
      const isOther = seen !== undefined && seen.sinceMs !== open?.sinceMs;
      if (isOther) return false;
      marks.set(keyOf(of), { open: undefined, letUntilMs });
      return open !== undefined;
    },
  };
}
