/** Numbers that a double would change. */
import type { Check } from '#cli/doctor/finding';
import { isExactNumber } from '#core/record/exact-json';
import type { JsonValue } from '#core/record/json';
import { isJsonArray, isJsonObject } from '#core/record/path';
import { isDouble } from '#core/record/plain-numbers';

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
  if (isExactNumber(value)) return isDouble(value.rawJSON) ? [] : [path.join('.')];
  if (isJsonArray(value)) return value.flatMap((one) => exactPlaces(one, [...path, '[]']));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, one]) => exactPlaces(one, [...path, name]));
}
