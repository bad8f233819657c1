/** A server in the place of a cloud, and a command that speaks to it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { runRecorded } from './run-recorded.ts';

/** A cloud that answers everything alike, and keeps what it was asked. */
export async function cloudAnswering(
  status: number,
  body: string,
  asked: string[] = [],
): Promise<string> {
  const server = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => void asked.push(chunk.toString()));
    request.on('end', () => {
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A command, what it said, and how it ended. */
export const said = (...argv: readonly string[]) => runRecorded(argv);
