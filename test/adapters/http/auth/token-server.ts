/** A token endpoint on loopback that answers by script, and keeps what it was asked. */
import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { scriptedServer } from '#test/adapters/http/scripted-server';

export interface TokenServer {
  readonly url: string;
  readonly asked: readonly {
    readonly authorization: string | undefined;
    readonly form: Readonly<Record<string, string>>;
  }[];
  /** Requests that were under way at once, at most. */
  readonly inFlightMax: () => number;
  close(): Promise<void>;
}

/** @param answer gets each request's index from 0, once its body is read. */
export async function tokenServer(
  answer: (response: ServerResponse, at: number) => void,
): Promise<TokenServer> {
  const asked: { authorization: string | undefined; form: Record<string, string> }[] = [];
  let inFlight = 0;
  let inFlightMax = 0;
  const { url, close } = await scriptedServer(async (response, _at, request) => {
    inFlightMax = Math.max(inFlightMax, ++inFlight);
    response.once('close', () => inFlight--);
    const form = Object.fromEntries(new URLSearchParams(await text(request)));
    answer(response, asked.push({ authorization: request.headers.authorization, form }) - 1);
  });
  return { url: `${url}/oauth/token`, asked, inFlightMax: () => inFlightMax, close };
}

/** An answer of JSON. */
export function answerJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
