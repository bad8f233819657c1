/** Stands in for built-in `fetch`, in virtual time: a poller's requests go to a simulated source. */
import type { VirtualTime } from '#test/simulation/virtual-time';
import type { ApiAnswer, SimulatedApi } from './server/api.ts';

/** What a process that has died asks for never leaves it, and it hears of no answer. */
export interface Caller {
  readonly isAlive: () => boolean;
}

export interface Transport {
  /** Whose requests follow. */
  caller: Caller;
  /** @returns puts back what was there before. */
  install(): () => void;
}

const LATE = new DOMException('late', 'TimeoutError');

export function transportTo(api: SimulatedApi, origin: string, time: VirtualTime): Transport {
  const transport: Transport = { caller: { isAlive: () => true }, install };
  return transport;

  function install(): () => void {
    const before = { fetch: globalThis.fetch, timeout: AbortSignal.timeout };
    globalThis.fetch = ask as typeof fetch;
    AbortSignal.timeout = (ms) => {
      const controller = new AbortController();
      void time.sleep(ms).then(() => controller.abort(LATE));
      return controller.signal;
    };
    return () => {
      globalThis.fetch = before.fetch;
      AbortSignal.timeout = before.timeout;
    };
  }

  async function ask(
    input: URL | string,
    { signal, headers }: { readonly signal: AbortSignal; readonly headers: Record<string, string> },
  ): Promise<Response> {
    const { caller } = transport;
    if (!caller.isAlive()) return never();
    const url = new URL(input);
    if (url.origin !== origin) throw new Error(`a request to ${url.origin}`);
    signal.throwIfAborted();
    const answer = api.answer(url, new Headers(headers));
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
    aborted.catch(() => undefined);
    if (answer.kind !== 'silent') await Promise.race([time.sleep(answer.afterMs), aborted]);
    if (!caller.isAlive()) return never();
    if (answer.kind === 'silent') return aborted;
    if (answer.kind === 'dropped') throw broken();
    api.notBeforeMs = Math.max(api.notBeforeMs, answer.notBeforeMs ?? 0);
    return responseOf(answer, url);
  }
}

function responseOf(answer: Extract<ApiAnswer, { kind: 'answer' }>, url: URL): Response {
  const { status, headers, text, cut } = answer;
  const bytes = new TextEncoder().encode(text);
  const body =
    cut === undefined ? bytes : cut.isQuiet ? bytes.slice(0, cut.at) : breaking(bytes, cut.at);
  const response = new Response(status === 304 ? null : body, { status, headers });
  Object.defineProperty(response, 'url', { value: url.href });
  return response;
}

function breaking(bytes: Uint8Array, at: number): ReadableStream<Uint8Array> {
  let isCut = false;
  return new ReadableStream({
    pull(controller) {
      if (isCut) controller.error(broken());
      else if (at > 0) controller.enqueue(bytes.slice(0, at));
      if (at === 0) controller.error(broken());
      isCut = true;
    },
  });
}

/** @source undici: what built-in fetch throws when a connection breaks. */
function broken(): TypeError {
  const cause = Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' });
  return new TypeError('fetch failed', { cause });
}

/** One of its own each time: whatever waits for it is let go with it. */
function never(): Promise<never> {
  return new Promise(() => undefined);
}
