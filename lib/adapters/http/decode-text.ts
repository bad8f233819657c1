/** Text of an answer's bytes, in the encoding that they are written in. */
import { AnswerFault } from './answer-fault.ts';

/** @source WHATWG Encoding, 6: a byte order mark outranks what a header says. */
const MARKS: readonly (readonly [encoding: string, mark: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16be', [0xfe, 0xff]],
  ['utf-16le', [0xff, 0xfe]],
];

/** @source WHATWG Encoding takes ASCII for windows-1252, where every byte is a character. */
const ASCII = /^(us-)?ascii$/i;

const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]+)/i;

/**
 * Decode an answer's bytes by their byte order mark, else by the charset of its content type, else
 * as UTF-8. The mark is no part of the text; nor is a character that is cut off at the end: the text
 * is not whole then either.
 *
 * @throws {AnswerFault} for a charset that is not known, and for bytes that are none of their
 *   encoding: another character in their place could make two keys one.
 */
export function decodeText(bytes: Uint8Array, contentType: string): string {
  const marked = MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))?.[0];
  const said = CHARSET.exec(contentType)?.[1] ?? 'utf-8';
  const charset = marked ?? (ASCII.test(said) ? 'utf-8' : said);
  // At once: piece by piece costs twice as much, and makes text of two bytes a character.
  try {
    return decoderOf(charset).decode(bytes);
  } catch (error) {
    if (error instanceof AnswerFault) throw error;
    return decodeCutShort(bytes, charset);
  }
}

function decoderOf(charset: string) {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch (cause) {
    const name = charset.slice(0, 40).replaceAll(/[^\w.:*-]/g, '?');
    const detail = `the source answered in charset ${name}, which is not known`;
    throw new AnswerFault('refused', detail, { cause });
  }
}

function decodeCutShort(bytes: Uint8Array, charset: string): string {
  const decoder = decoderOf(charset);
  try {
    return decoder.decode(bytes, { stream: true });
  } catch (cause) {
    const name = decoder.encoding.toUpperCase();
    throw new AnswerFault('refused', `the source answered text that is not ${name}`, { cause });
  }
}
