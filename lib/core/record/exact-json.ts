/** JSON in, with every digit of every number kept. */
import type { ExactNumber, JsonValue } from './json.ts';

/**
 * Matches wherever a number may be, if its text could differ from what JavaScript would write for
 * its double: 16 digits or more, an exponent, a fraction that ends in 0 or starts with six, or -0.
 * Inside a string it may match for nothing, which costs time and never a digit.
 *
 * @source ECMA-262 Number::toString: up to 15 significant digits survive a double, and are written
 * plainly from 1e-6 up to 1e21.
 */
const MAY_LOSE_DIGITS =
  /[[:,\n\r\t ](?:-0|-?\d+(?:\.\d+)?[eE][+-]?\d+|-?\d[\d.]{15,}|-?\d+\.\d*0|-?0\.000000\d+)[\n\r\t ,}\]]/;

/** Nothing stands around the number. */
const IS_NUMBER = /^\s*[-\d]/;

interface SourceContext {
  readonly source?: string;
}

/** What the JSON object of this language version can do beyond its declared types. */
const exactJson = JSON as unknown as {
  rawJSON(text: string): ExactNumber;
  isRawJSON(value: unknown): value is ExactNumber;
  parse(
    text: string,
    reviver: (key: string, value: JsonValue, context: SourceContext) => JsonValue,
  ): JsonValue;
};

/**
 * Parse JSON so that `JSON.stringify` of the result writes every number as it came.
 *
 * @throws {SyntaxError} when the text is not JSON.
 * @throws {RangeError} when it nests too deep to be read with all digits.
 * @example JSON.stringify(parseExact('{"price":10.00}')); // '{"price":10.00}'
 */
export function parseExact(text: string): JsonValue {
  if (!MAY_LOSE_DIGITS.test(text) && !IS_NUMBER.test(text)) return JSON.parse(text) as JsonValue;
  return exactJson.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && source !== String(value)
      ? exactJson.rawJSON(source)
      : value,
  );
}

/** Keep a number by its text, which is JSON of a number. */
export function exactNumber(text: string): ExactNumber {
  return exactJson.rawJSON(text);
}

/** Tell a number kept as text from an object that merely looks like one. */
export function isExactNumber(value: unknown): value is ExactNumber {
  // Hardly any other value has such a member, and to look for it costs less than to ask.
  return (
    (value as { readonly rawJSON?: unknown } | null | undefined)?.rawJSON !== undefined &&
    exactJson.isRawJSON(value)
  );
}

/** The digits of a number as they came, or undefined for what is no number. */
export function numberText(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'number') return String(value);
  return isExactNumber(value) ? value.rawJSON : undefined;
}

/** Text as it is, numbers by their digits; nothing else names anything. */
export function scalarText(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  return numberText(value);
}
