/** The body of a request: whole, or known to be too large or too slow before it has come. */
import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';

export type Body =
  | { readonly kind: 'whole'; readonly bytes: Uint8Array }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'too-slow' }
  /** The client went away. */
  | { readonly kind: 'gone' };

export interface BodyLimits {
  readonly bytesMax: number;
  /** Of a body that was refused, so much is let pass before the connection is cut. */
  readonly discardBytesMax: number;
  readonly durationMsMax: number;
}

/** Reads on, and forgets what it reads, after it has told that there is too much. */
export function readBody(
  incoming: IncomingMessage | Http2ServerRequest,
  limits: BodyLimits,
  cut: () => void,
): Promise<Body> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const isHttp2 = incoming.httpVersionMajor > 1;
    // A server of HTTP/1 looks after that itself.
    const timer = isHttp2
      ? setTimeout(() => tell({ kind: 'too-slow' }), limits.durationMsMax).unref()
      : undefined;
    const tell = (body: Body): void => {
      clearTimeout(timer);
      chunks.length = 0;
      resolve(body);
    };
    if (Number(incoming.headers['content-length'] ?? 0) > limits.bytesMax) {
      tell({ kind: 'too-large' });
    }
    incoming.on('data', (chunk: Buffer) => {
      bytes += chunk.byteLength;
      if (bytes <= limits.bytesMax) chunks.push(chunk);
      else if (bytes > limits.bytesMax + limits.discardBytesMax) cut();
      else tell({ kind: 'too-large' });
    });
    incoming.on('end', () => {
      const [first] = chunks;
      const whole = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
      if (bytes <= limits.bytesMax) tell({ kind: 'whole', bytes: whole });
    });
    incoming.on('error', () => tell({ kind: 'gone' }));
    incoming.on('close', () => tell({ kind: 'gone' }));
  });
}
