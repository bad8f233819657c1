import type { Fault } from './faults.ts';
import type { SourceSettings } from './pipeline-settings.ts';
import { sourceParams } from './source-params.ts';
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
  { pagination: { kind }, incremental }: SourceSettings,
  one: ParamPlace,
  other: ParamPlace,
): boolean {
  if (one !== 'pagination' || other !== 'incremental') return false;
  return kind === 'keyset' || (kind === 'cursor' && incremental.kind === 'token');
}
