import type { Fault } from './faults.ts';
import type { IncrementalSettings, SourceSettings } from './pipeline-settings.ts';
import { byTime } from './by-time.ts';
import { byToken } from './by-token.ts';

/** Where a request may be a link as it is. */
const LINKED: readonly string[] = ['link', 'none'];

/** What of a source's paging contradicts its other settings. */
export function paginationFaults(source: SourceSettings): readonly Fault[] {
  const { pagination, pageSize, incremental } = source;
  if (pageSize === undefined) {
    if (pagination.kind === 'none') return [];
    const message = `is missing: only pagination 'none' asks for no number of records`;
    return [{ path: ['source', 'pageSize'], message }];
  }
  const faults: Fault[] = [];
  const isOffset = pagination.kind === 'offset';
  if (isOffset && pagination.overlap >= pageSize.value) {
    const message = `must be less than source.pageSize.value (${pageSize.value})`;
    faults.push(faultAt('overlap', message));
  }
  if (byToken(source) !== undefined && isOffset && pagination.overlap > 0) {
    faults.push(faultAt('overlap', 'must be 0: source.incremental knows no time of a record'));
  }
  if (incremental.kind !== 'token' && pagination.kind === 'feed') {
    const message = "must be 'token': pages of a feed are asked for by the token of the last";
    faults.push({ path: ['source', 'incremental', 'kind'], message });
  }
  if (incremental.kind === 'delta-link' && !LINKED.includes(pagination.kind)) {
    const message =
      "must be 'link', or 'none', with incremental.kind 'delta-link': what a link leads to is asked for as it is";
    faults.push(faultAt('kind', message));
  }
  return [...faults, ...orderFaults(source, byTime(source))];
}

function orderFaults(
  { pagination }: SourceSettings,
  incremental: IncrementalSettings | undefined,
): readonly Fault[] {
  if (incremental === undefined || pagination.kind !== 'keyset') return [];
  const { field, ordered } = incremental;
  if (pagination.param === incremental.param && pagination.field === field)
    return sharedParamFaults(incremental);
  if (pagination.field === field || !ordered) return [];
  const message = `must be false: pages follow '${pagination.field}', so records rise by it and not by '${field}'`;
  return [{ path: ['source', 'incremental', 'ordered'], message }];
}

/** The parameter takes the boundary, and then the last record's time as it stands. */
function sharedParamFaults({
  inclusive,
  format,
  fieldFormat,
}: IncrementalSettings): readonly Fault[] {
  const faults: Fault[] = [];
  if (inclusive) {
    const message =
      'must be false: pages follow by the same parameter, which leaves the last time out';
    faults.push({ path: ['source', 'incremental', 'inclusive'], message });
  }
  if ((format === 'iso-s' ? 'iso' : format) !== fieldFormat) {
    const message = `must be '${fieldFormat}', as fieldFormat is: pages follow by the same parameter, which takes the last record's time as it stands`;
    faults.push({ path: ['source', 'incremental', 'format'], message });
  }
  return faults;
}

function faultAt(member: string, message: string): Fault {
  return { path: ['source', 'pagination', member], message };
}
