/** Lambda's asynchronous invocation: an event is accepted at once, and tried until it succeeds. */
import type { Clock, InvokeResult, Invoker } from '#local/contracts';

export interface AsyncInvokeConfig {
  readonly retryAttemptsMax: number;
  readonly eventAgeMaxMs: number;
  /** Told of an event that is given up. */
  readonly onFailure?: (record: FailedEvent) => void;
}

/**
 * What a failure destination is given.
 *
 * @source Lambda Developer Guide, Capturing records of Lambda asynchronous invocations.
 */
export interface FailedEvent {
  readonly functionName: string;
  readonly condition: 'RetriesExhausted' | 'EventAgeExceeded';
  readonly attempts: number;
  readonly payload: string;
  readonly result: InvokeResult;
}

/** @source Lambda Developer Guide, Configuring error handling settings: the defaults. */
export const ASYNC_INVOKE_DEFAULTS: AsyncInvokeConfig = {
  retryAttemptsMax: 2,
  eventAgeMaxMs: 6 * 60 * 60 * 1_000,
};

export interface RetryDelays {
  /** Before the first and the second retry of an event whose function failed. */
  readonly failedMs: readonly [number, number];
  /** Between attempts of an event that was throttled; doubles up to the last. */
  readonly throttledMs: readonly [number, number];
}

/** @source Lambda Developer Guide, How Lambda handles errors and retries with async invocation. */
export const RETRY_DELAYS: RetryDelays = {
  failedMs: [60_000, 120_000],
  throttledMs: [1_000, 300_000],
};

export interface AsyncInvoker {
  /** Resolves when the event succeeded, was given up, or the invoker stopped; never rejects. */
  invoke(functionName: string, payload: string, config: AsyncInvokeConfig): Promise<void>;
  /** Begins no further attempt, and waits for those that run. */
  stop(): Promise<void>;
}

export function createAsyncInvoker({
  invoker,
  clock,
  delays = RETRY_DELAYS,
}: {
  invoker: Invoker;
  clock: Clock;
  delays?: RetryDelays;
}): AsyncInvoker {
  const running = new Set<Promise<void>>();
  const wake = new Set<() => void>();
  let stopped = false;

  const pause = (delayMs: number): Promise<void> =>
    new Promise((resolve) => {
      const done = (): void => {
        wake.delete(done);
        cancel();
        resolve();
      };
      const cancel = clock.setTimer(delayMs, done);
      wake.add(done);
    });

  const run: AsyncInvoker['invoke'] = async (functionName, payload, config) => {
    const acceptedMs = clock.nowMs();
    let failures = 0;
    let throttles = 0;
    for (;;) {
      if (stopped) return;
      const result = await attempt(invoker, functionName, payload);
      if (result.kind === 'ok') return;
      const [first, longest] = delays.throttledMs;
      if (result.kind === 'error') failures += 1;
      const exhausted = result.kind === 'error' && failures > config.retryAttemptsMax;
      const delayMs =
        result.kind === 'error'
          ? (delays.failedMs[failures - 1] ?? delays.failedMs[1])
          : Math.min(longest, first * 2 ** throttles++);
      const tooOld = clock.nowMs() + delayMs - acceptedMs > config.eventAgeMaxMs;
      if (exhausted || tooOld) {
        const condition = exhausted ? 'RetriesExhausted' : 'EventAgeExceeded';
        const attempts = failures + throttles;
        config.onFailure?.({ functionName, condition, attempts, payload, result });
        return;
      }
      if (stopped) return;
      await pause(delayMs);
    }
  };

  return {
    invoke(functionName, payload, config) {
      const event = run(functionName, payload, config).finally(() => running.delete(event));
      running.add(event);
      return event;
    },
    async stop() {
      stopped = true;
      for (const done of wake) done();
      await Promise.all(running);
    },
  };
}

/** A runtime that cannot be reached is a function that failed. */
async function attempt(
  invoker: Invoker,
  functionName: string,
  payload: string,
): Promise<InvokeResult> {
  try {
    return await invoker.invoke(functionName, payload);
  } catch (error) {
    return { kind: 'error', errorType: 'Runtime.Unreachable', payload: String(error) };
  }
}
