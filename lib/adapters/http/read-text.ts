export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge';
}

/**
 * Read a body as UTF-8 text, and stop reading once it exceeds its limit.
 *
 * @throws {BodyTooLarge} @throws {TypeError} when the connection breaks.
 */
export async function readText(response: Response, bytesMax: number): Promise<string> {
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    // Leaving the loop cancels the body.
    if (bytes > bytesMax) throw new BodyTooLarge(`the answer is larger than ${bytesMax} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
