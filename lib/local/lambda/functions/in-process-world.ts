/** What a handler in this process finds around it, instead of the machine's own. */
import type { Chance, Clock, NewId } from '#local/contracts';
import { outsideWorlds } from './in-process-scope.ts';

/** The surroundings of one invocation. */
export interface InvocationWorld {
  nowMs(): number;
  setTimer(delayMs: number, fire: () => void): () => void;
  /** Absent: the machine's. */
  readonly chance?: Chance | undefined;
  readonly newId?: NewId | undefined;
  /** Its variables: what it changes of them ends with it. */
  readonly environment: Record<string, string | undefined>;
  write(line: string): void;
  /** The cloud's own answer to a fetch; undefined when it is addressed to another. */
  fetch(input: string | URL | Request, init?: RequestInit): Promise<Response> | undefined;
  /** Waits for what is neither the clock's nor the cloud's: no time is to pass meanwhile. */
  outside<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves as `work` does; of an invocation that has ended, never. */
  during<T>(work: () => Promise<T>): Promise<T>;
}

export interface OpenWorld extends InvocationWorld {
  /** True when it goes on as soon as the clock does, or something that it asked for is answered. */
  isWaiting(): boolean;
  /** As the end of its process: no timer fires, and nothing that it asks for is done. */
  end(): void;
}

export interface WorldOptions extends Pick<
  InvocationWorld,
  'chance' | 'newId' | 'environment' | 'write' | 'fetch'
> {
  readonly clock: Clock;
  /** How much later it believes that it is. */
  readonly skewMs: number;
}

export function openWorld({ clock, skewMs, ...around }: WorldOptions): OpenWorld {
  const cancels = new Set<() => void>();
  let asked = 0;
  let askedOutside = 0;
  let hasEnded = false;
  return {
    ...around,
    nowMs: () => outsideWorlds(clock.nowMs) + skewMs,
    setTimer(delayMs, fire) {
      if (hasEnded) return () => undefined;
      const cancel = outsideWorlds(() =>
        clock.setTimer(delayMs, () => {
          cancels.delete(cancel);
          fire();
        }),
      );
      cancels.add(cancel);
      return () => {
        cancels.delete(cancel);
        cancel();
      };
    },
    async during(work) {
      if (hasEnded) return new Promise(() => undefined);
      asked += 1;
      try {
        const result = await work();
        return hasEnded ? await new Promise<never>(() => undefined) : result;
      } finally {
        asked -= 1;
      }
    },
    async outside(work) {
      askedOutside += 1;
      try {
        return await work();
      } finally {
        askedOutside -= 1;
      }
    },
    isWaiting: () => hasEnded || (askedOutside === 0 && (cancels.size > 0 || asked > 0)),
    end() {
      hasEnded = true;
      for (const cancel of cancels) cancel();
      cancels.clear();
    },
  };
}
