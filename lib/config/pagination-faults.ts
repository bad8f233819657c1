import type { Fault } from './faults.ts';
import type { IncrementalSettings, SourceSettings } from './pipeline-settings.ts';

/** What of a source's paging contradicts its other settings. */
export function paginationFaults(source: SourceSettings): readonly Fault[] {
  const { pagination, pageSize, incremental } = source;
  const faults = [...paramFaults(source)];
  const isOffset = pagination.kind === 'offset';
  if (isOffset && pagination.overlap >= pageSize.value) {
    const message = `must be less than source.pageSize.value (${pageSize.value})`;
    faults.push(faultAt('overlap', message));
  }
  if (incremental.kind !== 'token') return [...faults, ...timeFaults(source, incremental)];
  if (isOffset && pagination.overlap > 0) {
    faults.push(faultAt('overlap', 'must be 0: source.incremental knows no time of a record'));
  }
  return faults;
}

/** One parameter cannot take two values. */
function paramFaults({ pagination, pageSize, incremental }: SourceSettings): readonly Fault[] {
  const { kind } = pagination;
  const until = incremental.kind === 'token' ? undefined : incremental.until;
  const taken = {
    'pageSize.param': pageSize.param,
    'incremental.param': incremental.param,
    'incremental.until.param': until?.param,
  };
  if (kind === 'feed' && pageSize.param === incremental.param) {
    const message = `'${incremental.param}' is already source.pageSize.param`;
    return [{ path: ['source', 'incremental', 'param'], message }];
  }
  if (!('param' in pagination)) return [];
  // The last record's time may be asked for by the parameter that takes the boundary, and a page by
  // the one that takes a token: whichever is newer stands.
  const mayShare = kind === 'keyset' || (kind === 'cursor' && incremental.kind === 'token');
  return Object.entries(taken).flatMap(([place, name]) =>
    name !== pagination.param || (mayShare && place === 'incremental.param')
      ? []
      : [faultAt('param', `'${name}' is already source.${place}`)],
  );
}

function timeFaults(
  { pagination }: SourceSettings,
  { field, ordered }: IncrementalSettings,
): readonly Fault[] {
  if (pagination.kind === 'feed') {
    const message = "must be 'token': pages of a feed are asked for by the token of the last";
    return [{ path: ['source', 'incremental', 'kind'], message }];
  }
  if (pagination.kind !== 'keyset' || pagination.field === field || !ordered) return [];
  const message = `must be false: pages follow '${pagination.field}', so records rise by it and not by '${field}'`;
  return [{ path: ['source', 'incremental', 'ordered'], message }];
}

function faultAt(member: string, message: string): Fault {
  return { path: ['source', 'pagination', member], message };
}
