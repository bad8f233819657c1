/** The parts of a record's key as one text, and back. */

/** @source DynamoDB, limits: a partition key of 2,048 bytes, a sort key of 1,024. */
export const KEY_BYTES_MAX = [2_048, 1_024] as const;

/**
 * Write a key of one or two parts as one text: other parts, another text. A part alone stays as it is.
 *
 * @example keyText(['acme', 'a/7']); // 'acme/a%2F7'
 */
export function keyText(parts: readonly string[]): string {
  const [only = ''] = parts;
  return parts.length === 1 ? only : parts.map(escapePart).join('/');
}

/**
 * Split a text into so many parts; undefined where `keyText` never wrote it of so many.
 *
 * @example keyParts('acme/a%2F7', 2); // ['acme', 'a/7']
 */
export function keyParts(text: string, count: number): readonly string[] | undefined {
  if (count === 1) return [text];
  const parts = text.split('/').map(unescapePart);
  const isWhole = parts.length === count && !parts.includes('') && keyText(parts) === text;
  return isWhole ? parts : undefined;
}

function escapePart(part: string): string {
  return part.replaceAll('%', '%25').replaceAll('/', '%2F');
}

function unescapePart(part: string): string {
  return part.replaceAll('%2F', '/').replaceAll('%25', '%');
}
