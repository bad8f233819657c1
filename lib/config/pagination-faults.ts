import type { Fault } from './faults.ts';
import type { SourceSettings } from './pipeline-settings.ts';

/** What of a source's paging contradicts its other settings. */
export function paginationFaults({
  pagination,
  pageSize,
  incremental,
}: SourceSettings): readonly Fault[] {
  if (!('param' in pagination)) return [];
  const faults: Fault[] = [];
  const isKeyset = pagination.kind === 'keyset';
  const { param } = pagination;
  const taken = { 'pageSize.param': pageSize.param, 'incremental.param': incremental.param };
  for (const [place, name] of Object.entries(taken)) {
    // The last record's time may be asked for by the parameter that takes the boundary.
    if (name !== param || (isKeyset && place === 'incremental.param')) continue;
    const message = `'${param}' is already source.${place}`;
    faults.push({ path: ['source', 'pagination', 'param'], message });
  }
  if (pagination.kind === 'offset' && pagination.overlap >= pageSize.value) {
    const message = `must be less than source.pageSize.value (${pageSize.value})`;
    faults.push({ path: ['source', 'pagination', 'overlap'], message });
  }
  if (isKeyset && pagination.field !== incremental.field && incremental.ordered) {
    const message =
      `must be false: pages follow '${pagination.field}', so records rise by it and ` +
      `not by '${incremental.field}'`;
    faults.push({ path: ['source', 'incremental', 'ordered'], message });
  }
  return faults;
}
