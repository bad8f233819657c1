/**
 * Take the chunks' frames (and the trailer) off a body that the SDK sent in pieces.
 *
 * @source Amazon S3 API, Signature calculations: transferring payload in multiple chunks.
 */
export function decodeAwsChunked(body: Uint8Array): Uint8Array {
  const bytes = Buffer.from(body);
  const chunks: Buffer[] = [];
  for (let at = 0; ;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    const byteCount = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    if (lineEnd < 0 || !(byteCount > 0)) break;
    chunks.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + byteCount));
    at = lineEnd + 2 + byteCount + 2;
  }
  return Buffer.concat(chunks);
}
