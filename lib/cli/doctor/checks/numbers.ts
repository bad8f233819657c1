/** Numbers that a double would change. */
import type { Check } from '#cli/doctor/finding';
import { parseDecimal } from '#core/record/decimal';
import { isExactNumber } from '#core/record/exact-json';
import type { JsonValue } from '#core/record/json';
import { isJsonArray, isJsonObject } from '#core/record/path';

const PLACES_NAMED_MAX = 5;

export const checkNumbers: Check = ({ records }) => {
  const places = [...new Set(records.flatMap(({ raw }) => exactPlaces(raw, [])))];
  if (places.length === 0) return [];
  const named = places.slice(0, PLACES_NAMED_MAX).map((place) => `\`${place}\``);
  const more = places.length > PLACES_NAMED_MAX ? ', …' : '';
  return [
    {
      severity: 'note',
      check: 'exact-numbers',
      field: null,
      sentence: `A double would change numbers at ${named.join(', ')}${more}: their digits are kept, and a map must not reckon with them.`,
    },
  ];
};

/** Places in an array are one place. */
function exactPlaces(value: JsonValue, path: readonly string[]): string[] {
  if (isExactNumber(value)) return isBeyondDouble(value.rawJSON) ? [path.join('.')] : [];
  if (isJsonArray(value)) return value.flatMap((one) => exactPlaces(one, [...path, '[]']));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, one]) => exactPlaces(one, [...path, name]));
}

/** `10.00` is kept as text, too, and is ten as a double. */
function isBeyondDouble(text: string): boolean {
  const exact = parseDecimal(text);
  const rounded = parseDecimal(String(Number(text)));
  return (
    exact === undefined ||
    exact.digits !== rounded?.digits ||
    exact.scale !== rounded.scale ||
    exact.negative !== rounded.negative
  );
}
