/** Asks an emulator as its HTTP server would. */
import type { WireHandler, WireRequest } from '#local/contracts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export async function ask(
  handler: WireHandler,
  method: string,
  target: string,
  options: { headers?: Record<string, string>; body?: string | Uint8Array } = {},
): Promise<Answer> {
  const { pathname, searchParams } = new URL(target, 'http://127.0.0.1');
  const request: WireRequest = {
    method,
    path: pathname,
    query: searchParams,
    headers: options.headers ?? {},
    body: Buffer.from(options.body ?? ''),
  };
  const { status, headers = {}, body = '' } = await handler.handle(request);
  return { status, headers, text: Buffer.from(body).toString() };
}
