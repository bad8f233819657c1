import { byTime } from './by-time.ts';
import type { Fault } from './faults.ts';
import type { SourceSettings } from './pipeline-settings.ts';

const DAY_SEC = 86_400;

/** What of asking for changes contradicts itself, or a source's other settings. */
export function incrementalFaults(source: SourceSettings): readonly Fault[] {
  const incremental = byTime(source);
  if (incremental?.until === undefined) return [];
  const { pageSize } = source;
  const { until, start, param, horizonSec, format, fieldFormat } = incremental;
  const faults: Fault[] = [];
  const fault = (field: string, message: string) =>
    faults.push({ path: ['source', 'incremental', 'until', field], message });
  const taken = { 'incremental.param': param, 'pageSize.param': pageSize?.param };
  for (const [place, name] of Object.entries(taken)) {
    if (name === until.param) fault('param', `'${name}' is already source.${place}`);
  }
  if (until.sec === undefined) return faults;
  // What lies within the horizon is asked for in every run: no window may be filled by that alone.
  const isByDay = format === 'date' || fieldFormat === 'date';
  const secMin = horizonSec + (isByDay ? 2 * DAY_SEC : 2);
  if (until.sec < secMin) {
    const more = isByDay ? 'two days' : 'two seconds';
    fault('sec', `must be at least ${secMin}: horizonSec (${horizonSec}) and ${more}`);
  }
  if (start === undefined) {
    const message = 'is missing: windows begin somewhere, so until.sec needs it';
    faults.push({ path: ['source', 'incremental', 'start'], message });
  }
  return faults;
}
