/** A source on loopback that answers by script. */
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface ScriptedServer {
  readonly url: string;
  readonly requests: readonly {
    readonly url: string;
    readonly authorization: string | undefined;
  }[];
  close(): Promise<void>;
}

/** @param answer gets each request and its index from 0. */
export async function scriptedServer(
  answer: (response: ServerResponse, at: number, request: IncomingMessage) => void,
): Promise<ScriptedServer> {
  const requests: { url: string; authorization: string | undefined }[] = [];
  const server = createServer((request, response) => {
    requests.push({ url: request.url ?? '', authorization: request.headers.authorization });
    answer(response, requests.length - 1, request);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

/** A server that ends with the test which asks for it. */
export async function serve(...script: Parameters<typeof scriptedServer>): Promise<ScriptedServer> {
  const server = await scriptedServer(...script);
  onTestFinished(server.close);
  return server;
}
