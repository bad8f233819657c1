const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Read bytes as UTF-8, every one of them. @throws {TypeError} where they are none. */
export function strictText(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}
