import type { Fault } from './faults.ts';
import type { SourceSettings } from './pipeline-settings.ts';

/** What of a first request's own parameters somebody else puts: of `query`, every link would carry it. */
export function firstQueryFaults({
  pagination,
  pageSize,
  incremental,
  query,
}: SourceSettings): readonly Fault[] {
  if (pagination.kind !== 'link') return [];
  const taken = new Map(Object.keys(query).map((name) => [name, 'query']));
  const parts: Readonly<Record<string, object | undefined>> = { pageSize, incremental };
  for (const [name, part] of Object.entries(parts)) {
    if (part && 'param' in part) taken.set(String(part.param), `${name}.param`);
  }
  return Object.keys(pagination.first ?? {}).flatMap((param) => {
    const holder = taken.get(param);
    if (holder === undefined) return [];
    const message = `is already in source.${holder}`;
    return [{ path: ['source', 'pagination', 'first', param], message }];
  });
}
