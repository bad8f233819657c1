/** Exact numbers as plain ones, wherever a double has the same value. */
import { parseDecimal } from './decimal.ts';
import { isExactNumber } from './exact-json.ts';
import type { JsonValue } from './json.ts';
import { isJsonArray, isJsonObject } from './path.ts';

/**
 * Replace numbers that were kept as text, so that code may reckon with them; where a double would be
 * another number, the text stays. Of what nests too deep to be walked, all stays.
 *
 * @example plainNumbers(parseExact('[10.00, 9007199254740993]')); // [10, JSON.rawJSON('9007199254740993')]
 */
export function plainNumbers(value: JsonValue): JsonValue {
  try {
    return plain(value);
  } catch (error) {
    if (error instanceof RangeError) return value;
    throw error;
  }
}

function plain(value: JsonValue): JsonValue {
  if (isExactNumber(value)) {
    return isDouble(value.rawJSON) ? Number(value.rawJSON) : value;
  }
  if (isJsonArray(value)) return value.map(plain);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]));
}

/** Whether a double has the value of a number's text. @example isDouble('10.00'); // true */
export function isDouble(text: string): boolean {
  const [one, two] = [parseDecimal(text), parseDecimal(String(Number(text)))];
  if (one === undefined || two === undefined) return false;
  return one.digits === two.digits && one.scale === two.scale && one.negative === two.negative;
}
