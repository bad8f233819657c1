/**
 * Goes once over the bytes of JSON, for what `JSON.parse` does not tell: the digits of a number, and
 * which bytes are a record.
 */
import type { Path } from './path.ts';

/** A number whose text is not what JavaScript writes for its double. */
export interface LongNumber {
  /** Names and indices that lead to it, from the outermost. */
  readonly path: readonly (string | number)[];
  readonly text: string;
}

export interface PageScan {
  readonly numbers: readonly LongNumber[];
  /** By twice a record's index: its first byte, and the byte behind it; nothing for one that is spread out. */
  readonly spans: readonly number[];
}

export interface PageText {
  /** JSON in UTF-8: it has been parsed. */
  readonly bytes: Uint8Array;
  /** The same, a character for each byte: a text is searched faster. */
  readonly characters: string;
}

const DEPTH_MAX = 128;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;
const ARRAY = 0x5b;
const ARRAY_END = 0x5d;
const SPACE = 0x20;
const ZERO = 0x30;
const NINE = 0x39;
const ASCII_MAX = 0x7e;

/** @source ECMA-262 Number::toString: a whole number of so many digits survives a double as it is written. */
const DIGITS_SAFE = 15;

/**
 * @param records where its array of records is.
 * @returns undefined where a look is not enough: it nests deep, or a long number has a strange name.
 */
export function scanPage(page: PageText, records: Path): PageScan | undefined {
  const { bytes, characters } = page;
  const { length } = bytes;
  const numbers: LongNumber[] = [];
  const spans: number[] = [];
  // Of an object, where its latest member's name begins; of an array, the complement of an index.
  const places = new Int32Array(DEPTH_MAX + 1);
  let depth = 0;
  let recordsDepth = -1;
  let recordFrom = 0;
  let isSpread = false;
  let isName = false;

  for (let at = 0; at < length; at++) {
    const code = bytes[at] as number;
    if (code === QUOTE) {
      const from = at;
      at = stringEnd(page, from);
      if (!isName) continue;
      // Written in another way it may be a name that leads to the records.
      if (depth <= records.length && characters.slice(from, at).includes('\\')) return undefined;
      places[depth] = from;
      isName = false;
      if (bytes[at + 1] === COLON) at++;
    } else if (code === COMMA) {
      const place = places[depth] as number;
      isName = place >= 0;
      if (!isName) places[depth] = place - 1;
    } else if (code === OBJECT || code === ARRAY) {
      if (depth === DEPTH_MAX) return undefined;
      if (depth === recordsDepth) {
        recordFrom = at;
        isSpread = false;
      } else if (code === ARRAY && depth === records.length && isAt(page, places, records)) {
        recordsDepth = depth + 1;
        spans.length = 0;
      }
      isName = code === OBJECT;
      places[++depth] = isName ? 0 : -1;
    } else if (code === OBJECT_END || code === ARRAY_END) {
      isName = false;
      depth--;
      if (depth === recordsDepth - 1) recordsDepth = -1;
      if (depth !== recordsDepth || isSpread) continue;
      const index = 2 * ~(places[depth] as number);
      spans[index] = recordFrom;
      spans[index + 1] = at + 1;
    } else if (code <= SPACE) {
      isSpread = true;
    } else if (code <= NINE) {
      const from = at;
      at = numberEnd(bytes, from) - 1;
      const text = longText(page, from, at + 1);
      if (text === undefined) continue;
      const path = pathTo(page, places, depth);
      if (path === undefined) return undefined;
      numbers.push({ path, text });
    }
  }
  return { numbers, spans };
}

/** Where the quote is that ends the string which begins here. */
function stringEnd({ bytes, characters }: PageText, from: number): number {
  let at = characters.indexOf('"', from + 1);
  while (isEscaped(bytes, at)) at = characters.indexOf('"', at + 1);
  return at;
}

/** Whether an odd number of backslashes stands before. */
function isEscaped(bytes: Uint8Array, at: number): boolean {
  let from = at;
  while (bytes[from - 1] === BACKSLASH) from--;
  return (at - from) % 2 === 1;
}

function numberEnd(bytes: Uint8Array, from: number): number {
  const { length } = bytes;
  let at = from;
  for (; at < length; at++) {
    const code = bytes[at] as number;
    if (code <= SPACE || code === COMMA || code === OBJECT_END || code === ARRAY_END) break;
  }
  return at;
}

/** The number's text, if it is more than its double says. */
function longText({ bytes, characters }: PageText, from: number, to: number): string | undefined {
  if (to - from <= DIGITS_SAFE) {
    let at = from;
    while (at < to && isDigit(bytes[at] as number)) at++;
    if (at === to) return undefined;
  }
  const text = characters.slice(from, to);
  return String(Number(text)) === text ? undefined : text;
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

/** Undefined where a name is no plain one. */
function pathTo(page: PageText, places: Int32Array, depth: number): LongNumber['path'] | undefined {
  const path: (string | number)[] = [];
  for (let at = 1; at <= depth; at++) {
    const step = stepAt(page, places[at] as number);
    if (step === undefined) return undefined;
    path.push(step);
  }
  return path;
}

function isAt(page: PageText, places: Int32Array, path: Path): boolean {
  return path.every((step, at) => String(stepAt(page, places[at + 1] as number)) === step);
}

/** An index, or the name whose quote is there, if it is of plain characters. */
function stepAt({ bytes, characters }: PageText, place: number): string | number | undefined {
  if (place < 0) return ~place;
  let at = place + 1;
  for (let code = bytes[at]; code !== QUOTE; code = bytes[++at]) {
    if (code === undefined || code === BACKSLASH || code > ASCII_MAX) return undefined;
  }
  return characters.slice(place + 1, at);
}
