import type { Fault } from './faults.ts';
import type { SourceSettings } from './pipeline-settings.ts';
import { sourceParams } from './source-params.ts';

/** What of a first request's own parameters somebody else puts: of `query`, every link would carry it. */
export function firstQueryFaults(source: SourceSettings): readonly Fault[] {
  const { pagination, query } = source;
  if (pagination.kind !== 'link') return [];
  const taken = new Map(Object.keys(query).map((name) => [name, 'query']));
  for (const [place, param] of sourceParams(source)) taken.set(param, `${place}.param`);
  return Object.keys(pagination.first ?? {}).flatMap((param) => {
    const holder = taken.get(param);
    if (holder === undefined) return [];
    const message = `is already in source.${holder}`;
    return [{ path: ['source', 'pagination', 'first', param], message }];
  });
}
