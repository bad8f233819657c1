/** `fetch` for handlers in this process: what is addressed to the cloud goes straight to it. */
import { currentWorld, outsideWorlds } from '#local/lambda/functions/in-process-scope';
import type { Router } from '#local/router';

/** Undefined: it is addressed to another. */
export type CloudFetch = (
  input: string | URL | Request,
  init?: RequestInit,
) => Promise<Response> | undefined;

export function cloudFetch(endpoint: () => string, route: Router): CloudFetch {
  return (input, init) => {
    const address = input instanceof Request ? input.url : String(input);
    if (!URL.canParse(address)) return undefined;
    const url = new URL(address);
    if (url.origin !== endpoint()) return undefined;
    const request = new Request(input, init);
    const work = () => send(request, url, route);
    const answered = currentWorld()?.during(work) ?? work();
    return Promise.race([answered, aborted(request.signal)]);
  };
}

async function send(request: Request, url: URL, route: Router): Promise<Response> {
  const { method } = request;
  const body = new Uint8Array(await request.arrayBuffer());
  const delivery = await outsideWorlds(() =>
    route({
      method,
      path: url.pathname,
      query: url.searchParams,
      headers: Object.fromEntries(request.headers),
      body,
    }),
  );
  switch (delivery.kind) {
    case 'unanswered':
      return new Promise(() => undefined);
    case 'cut':
    case 'cut-amid':
      throw new TypeError('fetch failed', {
        cause: Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }),
      });
    case 'answered': {
      const { status, headers = {}, body: answer } = delivery.response;
      const isEmpty = status === 204 || status === 304 || method === 'HEAD';
      return new Response(isEmpty ? null : (answer as Uint8Array<ArrayBuffer>), {
        status,
        headers,
      });
    }
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    else signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
