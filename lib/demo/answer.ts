/** How a demo source writes its answers, whole and broken. */
import type { ServerResponse } from 'node:http';
import type { Fault } from './faults.ts';

export interface Answer {
  readonly status: number;
  readonly type: 'application/json' | 'text/plain';
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const json = (body: string, status = 200): Answer => ({
  status,
  type: 'application/json',
  body,
});

/** The source's clock as an HTTP date, which knows whole seconds only. */
export function httpDate(ms: number): string {
  return new Date(Math.floor(ms / 1000) * 1000).toUTCString();
}

/** Send an answer under the source's own clock; `cut` ends the connection halfway through. */
export function sendAnswer(
  response: ServerResponse,
  { answer, nowMs, cut = false }: { answer: Answer; nowMs: number; cut?: boolean },
): void {
  const bytes = Buffer.from(answer.body);
  response.sendDate = false;
  response.writeHead(answer.status, {
    date: httpDate(nowMs),
    'content-type': answer.type,
    'content-length': bytes.byteLength,
    ...answer.headers,
  });
  if (!cut) {
    response.end(bytes);
    return;
  }
  response.write(bytes.subarray(0, Math.floor(bytes.byteLength / 2)), () => {
    response.destroy();
  });
}

/** The answer of a fault; undefined where the answer itself is to be cut. */
export function faultAnswer(fault: Fault, nowMs: number): Answer | undefined {
  switch (fault) {
    case 'wait-seconds':
      return slowDown('1');
    case 'wait-date':
      return slowDown(httpDate(nowMs + 1000));
    case 'unavailable':
      return { status: 503, type: 'text/plain', body: 'Service Unavailable' };
    case 'dropped':
      return undefined;
  }
}

export function slowDown(retryAfter: string): Answer {
  const body = '{"error":"rate limit reached, see Retry-After"}';
  return { ...json(body, 429), headers: { 'retry-after': retryAfter } };
}
