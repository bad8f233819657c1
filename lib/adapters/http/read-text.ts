/** An answer's body as text, within bounds of size and time. */
import type { Strike } from '#adapters/http/auth/strike-secrets';
import { AnswerFault } from './answer-fault.ts';
import { decodeText } from './decode-text.ts';
import { ungzip } from './ungzip.ts';

export interface ReadLimits {
  /** Of the body, decompressed. */
  readonly bytesMax: number;
  /** How long the body may pause before its next piece. */
  readonly idleMs: number;
}

/**
 * Read a body as text. However that ends, the body is at its end or closed.
 *
 * @param hide takes secrets out of the content type, a part of which a fault may quote.
 * @throws {AnswerFault} when it is too large, pauses too long, or is no text.
 * @throws {TypeError} when the connection breaks; and the reason of the request's own signal.
 */
export async function readText(
  response: Response,
  limits: ReadLimits,
  hide: Strike = (text) => text,
): Promise<string> {
  if (response.body === null) return '';
  const reader = response.body.getReader();
  let paused = false;
  const timer = setTimeout(() => {
    paused = true;
    // The read that waits is told that the body has ended.
    reader.cancel().catch(() => undefined);
  }, limits.idleMs);

  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (;;) {
      timer.refresh();
      const { done, value } = await reader.read();
      if (paused) {
        throw new AnswerFault('unavailable', `the answer paused for over ${limits.idleMs} ms`);
      }
      if (done) return;
      yield value;
    }
  }

  try {
    const bytes = await collect(ungzip(pieces()), limits.bytesMax);
    return decodeText(bytes, hide(response.headers.get('content-type') ?? ''));
  } catch (error) {
    if (!isBrokenCompression(error)) throw error;
    const detail = "the answer's compression is broken or cut short";
    throw new AnswerFault('unavailable', detail, { cause: error });
  } finally {
    clearTimeout(timer);
    await reader.cancel().catch(() => undefined);
  }
}

/** Pieces of one byte each take a hundred times their bytes: so many are put together at once. */
const PIECES_MAX = 1_024;

async function collect(body: AsyncIterable<Uint8Array>, bytesMax: number): Promise<Uint8Array> {
  const blocks: Uint8Array[] = [];
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.byteLength;
    if (bytes > bytesMax) {
      const limit = `the answer is larger than ${bytesMax} bytes`;
      throw new AnswerFault('refused', `${limit}: ask for smaller pages (source.pageSize)`);
    }
    pieces.push(piece);
    if (pieces.length === PIECES_MAX) blocks.push(Buffer.concat(pieces.splice(0)));
  }
  return Buffer.concat([...blocks, ...pieces], bytes);
}

/**
 * Fetch wraps what its own decoding throws; what ours throws comes as it is.
 *
 * @source the codes of Node's zlib: of gzip and deflate, brotli, zstd.
 */
function isBrokenCompression(error: unknown): boolean {
  const inner = error instanceof TypeError ? error.cause : error;
  return (
    inner instanceof Error && 'code' in inner && /^(Z_|ERR__ERROR_|ZSTD_)/.test(String(inner.code))
  );
}
