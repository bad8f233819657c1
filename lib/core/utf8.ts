/**
 * Count the bytes of a text in UTF-8, without encoding it.
 *
 * A lone surrogate counts three, as an encoder writes U+FFFD for it.
 *
 * @example utf8Bytes('é€'); // 5
 */
export function utf8Bytes(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) continue;
    if (unit < 0x800) {
      bytes += 1;
    } else if (isHighSurrogate(unit) && isLowSurrogate(text.charCodeAt(at + 1))) {
      // Two units, four bytes.
      bytes += 2;
      at++;
    } else {
      bytes += 2;
    }
  }
  return bytes;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
