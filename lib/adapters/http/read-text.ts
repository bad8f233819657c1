export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
}

export class NotUtf8 extends Error {
  override readonly name = 'NotUtf8';
}

/**
 * Read a body as UTF-8 text, and stop reading once it exceeds its limit.
 *
 * A character that is cut off at the end is left out: the text is not whole then either.
 *
 * @throws {BodyTooLarge} @throws {NotUtf8} rather than putting another character in its place. @throws {TypeError} when the connection breaks.
 */
export async function readText(response: Response, bytesMax: number): Promise<string> {
  if (response.body === null) return '';
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    // Leaving the loop cancels the body.
    if (bytes > bytesMax) throw new BodyTooLarge(`the answer is larger than ${bytesMax} bytes`);
    chunks.push(chunk);
  }
  return decode(Buffer.concat(chunks, bytes));
}

/** At once: piece by piece costs twice as much, and makes text of two bytes a character. */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return decodeCutShort(bytes);
  }
}

function decodeCutShort(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch (cause) {
    throw new NotUtf8('the source answered text that is not UTF-8', { cause });
  }
}
