/** Whether an answer holds records where the file says. */
import type { Check } from '#cli/doctor/finding';
import type { JsonValue } from '#core/record/json';
import { isJsonArray, isJsonObject } from '#core/record/path';

const DEPTH_MAX = 3;

export const checkRecordsPath: Check = ({ walk, probe }) => {
  const end = walk.end.kind === 'no-records' ? walk.end : probe?.walk.end;
  if (end?.kind !== 'no-records') return [];
  const places = arrayPlaces(end.body, []).map((path) => `'${path}'`);
  const hint = places.length === 0 ? '' : `; an array stands at ${places.join(' and ')}`;
  return [
    {
      severity: 'error',
      check: 'records-path',
      field: 'source.records',
      sentence: `In the answer ${end.detail}${hint}.`,
    },
  ];
};

function arrayPlaces(value: JsonValue, path: readonly string[]): string[] {
  if (isJsonArray(value)) return [path.join('.')];
  if (!isJsonObject(value) || path.length === DEPTH_MAX) return [];
  return Object.entries(value).flatMap(([name, one]) => arrayPlaces(one, [...path, name]));
}

export const checkEmpty: Check = ({ records, walk: { pages } }) =>
  records.length > 0 || pages.length === 0
    ? []
    : [
        {
          severity: 'warning',
          check: 'no-records',
          field: 'source.query',
          sentence: `The source answered ${pages.length === 1 ? 'a page' : `${pages.length} pages`} without one record, so no record could be looked at.`,
        },
      ];
