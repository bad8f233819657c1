/** The time of one request, with its redirects and its body: it stands still while a permit is waited for. */
export interface RequestTimer {
  /** Aborts when the time is over, or early where somebody ends it. */
  readonly signal: AbortSignal;
  /** Does `work` out of time. */
  pauseFor<T>(work: () => Promise<T>): Promise<T>;
  /** Lets what is left be no more than this. */
  limit(timeoutMs: number): void;
  stop(): void;
}

export function requestTimer(timeoutMs: number, early: AbortSignal | undefined): RequestTimer {
  const late = new AbortController();
  let leftMs = timeoutMs;
  let startedMs = 0;
  let timer: NodeJS.Timeout | undefined;

  function start(): void {
    startedMs = performance.now();
    timer = setTimeout(() => late.abort(), leftMs);
  }
  function stop(): void {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    leftMs = Math.max(0, leftMs - (performance.now() - startedMs));
  }

  start();
  return {
    signal: early === undefined ? late.signal : AbortSignal.any([late.signal, early]),
    async pauseFor(work) {
      stop();
      try {
        return await work();
      } finally {
        start();
      }
    },
    limit(mostMs) {
      stop();
      leftMs = Math.min(leftMs, mostMs);
      start();
    },
    stop,
  };
}
