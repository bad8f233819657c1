/** Bodies that clients send in chunks, with frames around them and checksums behind. */

export interface Unframed {
  readonly body: Uint8Array;
  /** Names in lower case. */
  readonly trailers: Readonly<Record<string, string>>;
}

/**
 * Take the chunks' frames, and the trailers, off a body; undefined: it is cut short or torn.
 *
 * @source Amazon S3 API, Signature calculations: transferring payload in multiple chunks.
 */
export function decodeAwsChunked(body: Uint8Array): Unframed | undefined {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const chunks: Buffer[] = [];
  for (let at = 0; ;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return undefined;
    const size = /^([0-9a-f]+)(;.*)?$/i.exec(bytes.toString('latin1', at, lineEnd))?.[1];
    if (size === undefined) return undefined;
    const start = lineEnd + 2;
    const end = start + Number.parseInt(size, 16);
    if (end === start) {
      const trailers = trailersIn(bytes.toString('latin1', start));
      return { body: Buffer.concat(chunks), trailers };
    }
    if (bytes.toString('latin1', end, end + 2) !== '\r\n') return undefined;
    chunks.push(bytes.subarray(start, end));
    at = end + 2;
  }
}

function trailersIn(text: string): Record<string, string> {
  const lines = text.split('\r\n').filter((line) => line.includes(':'));
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
}
