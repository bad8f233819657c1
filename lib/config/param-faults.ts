import type { Fault } from './faults.ts';
import { byTime } from './by-time.ts';
import type { SourceSettings } from './pipeline-settings.ts';
import { paramsInUrl, sourceParams } from './source-params.ts';
import type { ParamPlace } from './source-params.ts';

/** Of two that are one, the earlier is at fault. */
const PLACES: readonly ParamPlace[] = [
  'pagination',
  'incremental.until',
  'incremental',
  'pageSize',
];

/** One parameter cannot take two values. */
export function paramFaults(source: SourceSettings): readonly Fault[] {
  const params = sourceParams(source);
  const { url } = source;
  const inUrl = typeof url === 'string' ? paramsInUrl(source, url) : [];
  return [
    ...inUrl.map((message) => ({ path: ['source', 'url'], message })),
    ...fixedFaults(source, params),
    ...sharedFaults(source, params),
  ];
}

/** What a run asks for is not fixed. A first page's token may be, and a later one replaces it. */
function fixedFaults(
  { query }: SourceSettings,
  params: ReturnType<typeof sourceParams>,
): readonly Fault[] {
  return PLACES.flatMap((place) => {
    const param = params.get(place);
    if (place === 'pagination' || param === undefined || !Object.hasOwn(query, param)) return [];
    return [{ path: ['source', 'query', param], message: `is already source.${place}.param` }];
  });
}

function sharedFaults(
  source: SourceSettings,
  params: ReturnType<typeof sourceParams>,
): readonly Fault[] {
  return PLACES.flatMap((place, at) =>
    PLACES.slice(at + 1).flatMap((other) => {
      const param = params.get(place);
      if (param === undefined || param !== params.get(other)) return [];
      if (mayShare(source, place, other)) return [];
      const message = `'${param}' is already source.${other}.param`;
      return [{ path: ['source', ...place.split('.'), 'param'], message }];
    }),
  );
}

/**
 * The last record's time may be asked for by the parameter that takes the boundary, and a page by the
 * one that takes a token: whichever is newer stands.
 */
function mayShare(
  { pagination, incremental }: SourceSettings,
  one: ParamPlace,
  other: ParamPlace,
): boolean {
  if (one !== 'pagination' || other !== 'incremental') return false;
  if (pagination.kind === 'cursor') return incremental.kind === 'token';
  const time = byTime({ incremental });
  return pagination.kind === 'keyset' && time !== undefined && pagination.field === time.field;
}
