/** Decodes gzip that no header announced: caches and proxies lose the header, or compress twice. */
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { AnswerFault } from './answer-fault.ts';

/** Each layer may be a bomb of its own; nobody compresses three times and means it. */
const LAYERS_MAX = 2;

/**
 * Decode `bytes` while they begin as gzip does, a piece at a time; other bytes go through as they are.
 *
 * No text that is JSON begins so, in any encoding. Whoever stops before the end closes what `bytes`
 * come from.
 *
 * @throws {AnswerFault} when more is compressed than two layers. @throws {Error} with a `code` of zlib.
 * @source RFC 1952, 2.3.1: a member begins with 1f 8b.
 */
export async function* ungzip(
  bytes: AsyncGenerator<Uint8Array>,
  layersMax = LAYERS_MAX,
): AsyncGenerator<Uint8Array> {
  const head = await readHead(bytes);
  if (head[0] !== 0x1f || head[1] !== 0x8b) {
    yield* putBack(head, bytes);
    return;
  }
  if (layersMax === 0) {
    throw new AnswerFault('refused', 'the answer is gzip within gzip, more than twice');
  }
  // Whoever reads from its end hears of a failure.
  const decoded = pipeline(putBack(head, bytes), createGunzip(), () => undefined);
  yield* ungzip(piecesOf(decoded), layersMax - 1);
}

/** The first piece, or as many as hold two bytes. */
async function readHead(bytes: AsyncGenerator<Uint8Array>): Promise<Uint8Array> {
  let head: Uint8Array = new Uint8Array(0);
  while (head.byteLength < 2) {
    const { done, value } = await bytes.next();
    if (done === true) break;
    head = head.byteLength === 0 ? value : Buffer.concat([head, value]);
  }
  return head;
}

async function* putBack(head: Uint8Array, rest: AsyncGenerator<Uint8Array>) {
  yield head;
  yield* rest;
}

async function* piecesOf(stream: AsyncIterable<Uint8Array>) {
  yield* stream;
}
