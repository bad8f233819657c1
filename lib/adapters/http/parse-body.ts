/** JSON of an answer's text: one value, or one a line. */
import { parseExact } from '#core/record/exact-json';
import type { JsonValue } from '#core/record/json';
import { parsePage } from '#core/record/parse-page';
import type { ParsedPage } from '#core/record/parse-page';
import type { Path } from '#core/record/path';
import type { PageText } from '#core/record/scan-page';
import { AnswerFault } from './answer-fault.ts';

/** `lines`: newline-delimited JSON. */
export type BodyForm = 'json' | 'lines';

/** Fewer characters hold no more values than are allowed, but for the smallest. */
const COUNTED_FROM_CHARS = 4 * 1024 * 1024;

/** Numbers kept as text take 250 bytes each: with so many, a function of 512 MB goes on. */
const VALUES_MAX = 1_500_000;

export interface BodyShape {
  readonly form: BodyForm;
  /** Where an answer holds its array of records, if it is one. */
  readonly records: Path;
  /** Named by the faults. */
  readonly contentType: string;
}

/**
 * Parse a body, every digit kept; of lines, an array of what each holds. Blank lines are nothing.
 *
 * @throws {AnswerFault} unavailable where the text is cut short, refused where it is anything else.
 */
export function parseBody(text: string, shape: BodyShape): ParsedPage {
  const { form, records, contentType } = shape;
  const start = /\S/.exec(text)?.[0];
  if (start === '<') {
    throw refused(`the source answered HTML or XML (${contentType}), not JSON`);
  }
  if (text.length >= COUNTED_FROM_CHARS && !holdsFewValues(text)) {
    throw refused(
      `the answer holds more than ${VALUES_MAX} values: ask for smaller pages (source.pageSize)`,
    );
  }
  if (form === 'lines') return { body: parseLines(text, contentType), bytesOf: () => undefined };
  if (start === undefined) throw unavailable('the answer was empty');
  try {
    return parsePage(text, pageText(text), records);
  } catch (error) {
    if (error instanceof RangeError) throw refused('the answer nests too deep to be read');
    throw isCutShort(error, text)
      ? unavailable(`the answer broke off after ${text.length} characters`)
      : refused(`the source answered what is not JSON (${contentType})`);
  }
}

function pageText(text: string): PageText {
  const buffer = Buffer.from(text);
  return {
    // A part of a buffer costs three times one of these.
    bytes: new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength),
    // Of ASCII the text is that already.
    characters: buffer.length === text.length ? text : buffer.toString('latin1'),
  };
}

/** Commas within texts count too: that errs on the side of a dense page, by little. */
function holdsFewValues(text: string): boolean {
  let count = 0;
  for (const mark of ['{', '[', ',']) {
    for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) {
      if (++count > VALUES_MAX) return false;
    }
  }
  return true;
}

function parseLines(text: string, contentType: string): readonly JsonValue[] {
  const values: JsonValue[] = [];
  let number = 0;
  for (let at = 0; at < text.length;) {
    const newline = text.indexOf('\n', at);
    const line = newline < 0 ? text.slice(at) : text.slice(at, newline);
    number++;
    if (/\S/.test(line)) values.push(parseLine(line, { number, isTorn: newline < 0, contentType }));
    at += line.length + 1;
  }
  return values;
}

function parseLine(
  line: string,
  place: { readonly number: number; readonly isTorn: boolean; readonly contentType: string },
): JsonValue {
  const { number, isTorn, contentType } = place;
  try {
    return parseExact(line);
  } catch (error) {
    if (error instanceof RangeError) throw refused(`line ${number} nests too deep to be read`);
    // Only what ends without its newline can be less than its sender wrote.
    throw isTorn && isCutShort(error, line)
      ? unavailable(`the answer broke off in line ${number}`)
      : refused(`line ${number} of the answer is not JSON (${contentType})`);
  }
}

/**
 * Whether the text is the beginning of JSON, and nothing in it is wrong.
 *
 * @source V8: it names no place where it met the end, or the place of the end. Nothing that it quotes
 *   of a text ends so.
 */
function isCutShort(error: unknown, text: string): boolean {
  if (!(error instanceof SyntaxError)) return false;
  const at = / in JSON at position (\d+) \(line \d+ column \d+\)$/.exec(error.message)?.[1];
  return at === undefined
    ? error.message === 'Unexpected end of JSON input'
    : Number(at) >= text.length;
}

function refused(detail: string): AnswerFault {
  return new AnswerFault('refused', detail);
}

function unavailable(detail: string): AnswerFault {
  return new AnswerFault('unavailable', detail);
}
