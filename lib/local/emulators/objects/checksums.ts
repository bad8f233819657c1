/** The checksums that S3 verifies, each of a whole object. */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

type Digest = (body: Uint8Array) => Buffer;

/** By the end of `x-amz-checksum-…`. */
const DIGESTS: Readonly<Record<string, Digest>> = {
  crc32: (body) => fourBytes(crc32(body)),
  crc32c: (body) => fourBytes(crc32c(body)),
  sha1: (body) => createHash('sha1').update(body).digest(),
  sha256: (body) => createHash('sha256').update(body).digest(),
};

const PREFIX = 'x-amz-checksum-';

/** Beside checksums, of how to ask for and send them. */
const OTHERS = ['x-amz-checksum-mode', 'x-amz-checksum-algorithm', 'x-amz-checksum-type'];

export type Verdict =
  | { readonly kind: 'right'; readonly headers: Readonly<Record<string, string>> }
  | { readonly kind: 'wrong'; readonly name: string }
  | { readonly kind: 'unknown'; readonly name: string };

/**
 * Verify each checksum among headers or trailers.
 *
 * @source Amazon S3 User Guide, "Checking object integrity" (2026-10).
 */
export function verifyChecksums(
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
): Verdict {
  const found: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (!name.startsWith(PREFIX) || OTHERS.includes(name)) continue;
    const digest = DIGESTS[name.slice(PREFIX.length)];
    if (digest === undefined) return { kind: 'unknown', name };
    if (digest(body).toString('base64') !== value) return { kind: 'wrong', name };
    found[name] = value;
  }
  return { kind: 'right', headers: found };
}

const CASTAGNOLI = 0x82f63b78;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ CASTAGNOLI : value >>> 1;
  return value;
});

function crc32c(body: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of body) value = (value >>> 8) ^ (TABLE[(value ^ byte) & 0xff] ?? 0);
  return (value ^ 0xffffffff) >>> 0;
}

function fourBytes(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
