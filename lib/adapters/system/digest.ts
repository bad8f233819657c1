import { hash } from 'node:crypto';

const encoder = new TextEncoder();
const scratch = new Uint8Array(64 * 1024);
/** @source UTF-8: a UTF-16 unit takes three bytes at most. */
const UNITS_MAX = scratch.length / 3;

/** The first 64 bits of SHA-256, in hexadecimal. Of a text that fits, encoding it first halves the cost. */
export function sha256Digest(text: string): string {
  return hash('sha256', bytesOf(text), 'hex').slice(0, 16);
}

function bytesOf(text: string): Uint8Array | string {
  if (text.length > UNITS_MAX) return text;
  return scratch.subarray(0, encoder.encodeInto(text, scratch).written);
}
