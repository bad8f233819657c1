import { hash } from 'node:crypto';
import type { Digest } from '#ports/digest';

const encoder = new TextEncoder();
const scratch = new Uint8Array(64 * 1024);
/** @source UTF-8: a UTF-16 unit takes three bytes at most. */
const UNITS_MAX = scratch.length / 3;

/** The first 64 bits of SHA-256. Of a text that fits, encoding it first halves the cost. */
export const sha256Digest: Digest = (text, bytes) =>
  hash('sha256', bytesOf(text, bytes), 'hex').slice(0, 16);

function bytesOf(text: string, bytes: Uint8Array | undefined): Uint8Array | string {
  if (bytes !== undefined) {
    return text === '' ? bytes : Buffer.concat([encoder.encode(text), bytes]);
  }
  if (text.length > UNITS_MAX) return text;
  return scratch.subarray(0, encoder.encodeInto(text, scratch).written);
}
