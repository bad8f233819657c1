/** Versions of a record, in a form whose text order is their own order. */
import { parseDecimal } from './decimal.ts';
import { parseTimestamp } from './timestamp.ts';
import type { TimeFormat } from './timestamp.ts';

/** `revision`: a whole number, alone or before a hyphen and anything, as `3-917fa2`. */
export type VersionFormat = TimeFormat | 'integer' | 'revision';

/** @source DynamoDB: a number keeps 38 digits; a version that fits neither would be no version. */
const INTEGER_DIGITS = 38;

/**
 * Widen a version's text until text order is version order; undefined when it cannot be read.
 *
 * `33Z` and `33.5Z`, `9` and `10` do not compare as they come: DynamoDB compares bytes.
 *
 * @example sortableVersion('10', 'integer') > sortableVersion('9', 'integer'); // true
 */
export function sortableVersion(text: string, format: VersionFormat): string | undefined {
  switch (format) {
    case 'integer':
      return sortableInteger(text);
    case 'revision':
      return sortableInteger(/^\d+(?=-|$)/.exec(text)?.[0] ?? '');
    default:
      return parseTimestamp(text, format);
  }
}

function sortableInteger(text: string): string | undefined {
  const decimal = parseDecimal(text);
  // Below zero, padded text would order backwards.
  if (!decimal || decimal.negative || decimal.scale > 0) return undefined;
  if (decimal.digits.length > INTEGER_DIGITS) return undefined;
  return decimal.digits.padStart(INTEGER_DIGITS, '0');
}
