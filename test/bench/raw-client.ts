/** Sends requests over sockets that stay open, with as little of its own as can be. */
import { connect } from 'node:net';
import type { Socket } from 'node:net';

export interface RawClient {
  /** Send every request, some on each socket at once; answers must be 200. Milliseconds that it took. */
  send(requests: readonly Buffer[]): Promise<number>;
  close(): void;
}

export async function openRawClient(
  port: number,
  { sockets, atOnce }: { readonly sockets: number; readonly atOnce: number },
): Promise<RawClient> {
  const open = await Promise.all(Array.from({ length: sockets }, () => opened(port)));
  return {
    async send(requests) {
      let sent = 0;
      const next = (): readonly Buffer[] => requests.slice(sent, (sent += atOnce));
      const startedMs = performance.now();
      await Promise.all(open.map((socket) => sendFrom(socket, next)));
      return performance.now() - startedMs;
    },
    close() {
      for (const socket of open) socket.destroy();
    },
  };
}

function opened(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket));
    socket.once('error', reject);
  });
}

function sendFrom(socket: Socket, next: () => readonly Buffer[]): Promise<void> {
  return new Promise((resolve, reject) => {
    let seen = '';
    let owed = 0;
    const send = (): void => {
      const requests = next();
      owed = requests.length;
      const [first] = requests;
      if (first !== undefined) {
        return void socket.write(owed === 1 ? first : Buffer.concat(requests));
      }
      socket.removeAllListeners('data').removeAllListeners('error');
      resolve();
    };
    socket.on('error', reject);
    socket.on('data', (chunk: Buffer) => {
      seen += chunk.toString('latin1');
      for (let end = answerEnd(seen); end !== undefined; end = answerEnd(seen)) {
        if (!seen.startsWith('HTTP/1.1 200')) return reject(new Error(seen));
        seen = seen.slice(end);
        owed -= 1;
      }
      if (owed === 0) send();
    });
    send();
  });
}

const LENGTH = /content-length: (\d+)/i;

/** Where the first answer ends; undefined while it is not whole. */
function answerEnd(seen: string): number | undefined {
  const body = seen.indexOf('\r\n\r\n') + 4;
  if (body < 4) return undefined;
  const end = body + Number(LENGTH.exec(seen)?.[1]);
  return seen.length < end ? undefined : end;
}

/** A request of AWS's JSON protocol, with the headers that an SDK sends. */
export function jsonRequest(target: string, input: object): Buffer {
  const body = JSON.stringify(input);
  return Buffer.from(
    [
      'POST / HTTP/1.1',
      'host: 127.0.0.1',
      'content-type: application/x-amz-json-1.0',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-amz-target: ${target}`,
      'x-amz-date: 20261102T080000Z',
      'x-amz-user-agent: aws-sdk-js/3.1169.0',
      'amz-sdk-invocation-id: 6f1c9a52-0000-4000-8000-000000000007',
      'amz-sdk-request: attempt=1; max=3',
      `authorization: AWS4-HMAC-SHA256 Credential=bench/20261102/us-east-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date, Signature=${'0'.repeat(64)}`,
      '',
      body,
    ].join('\r\n'),
  );
}
