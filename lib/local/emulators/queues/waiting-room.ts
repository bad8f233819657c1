/** Those who wait for a message of a queue: woken by an event, never asked again and again. */
import type { Clock } from '#local/contracts';

export interface WaitingRoom {
  /** Resolves when the queue is announced, the time is over, or the room closes. */
  wait(queue: string, durationMs: number): Promise<void>;
  announce(queue: string): void;
  close(): void;
  isClosed(): boolean;
}

export function createWaitingRoom(clock: Clock): WaitingRoom {
  const waiting = new Map<string, Set<() => void>>();
  let closed = false;
  const wake = (all: Iterable<() => void> = []): void => {
    for (const one of all) one();
  };
  return {
    wait(queue, durationMs) {
      if (closed) return Promise.resolve();
      return new Promise((resolve) => {
        const ofQueue = waiting.get(queue) ?? new Set();
        waiting.set(queue, ofQueue);
        const done = (): void => {
          ofQueue.delete(done);
          cancel();
          resolve();
        };
        const cancel = clock.setTimer(durationMs, done);
        ofQueue.add(done);
      });
    },
    announce: (queue) => wake([...(waiting.get(queue) ?? [])]),
    close() {
      closed = true;
      for (const ofQueue of waiting.values()) wake([...ofQueue]);
    },
    isClosed: () => closed,
  };
}
