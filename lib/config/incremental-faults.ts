import { byTime } from './by-time.ts';
import type { Fault } from './faults.ts';
import type { SourceSettings } from './pipeline-settings.ts';

const DAY_SEC = 86_400;

/** What of the windows in which changes are asked for contradicts itself. */
export function incrementalFaults(source: SourceSettings): readonly Fault[] {
  const incremental = byTime(source);
  if (incremental?.until === undefined) return [];
  const { until, start, horizonSec, format, fieldFormat } = incremental;
  if (until.sec === undefined) return [];
  const faults: Fault[] = [];
  // What lies within the horizon is asked for in every run: no window may be filled by that alone.
  const isByDay = format === 'date' || fieldFormat === 'date';
  const secMin = horizonSec + (isByDay ? 2 * DAY_SEC : 2);
  if (until.sec < secMin) {
    const more = isByDay ? 'two days' : 'two seconds';
    const message = `must be at least ${secMin}: horizonSec (${horizonSec}) and ${more}`;
    faults.push({ path: ['source', 'incremental', 'until', 'sec'], message });
  }
  if (start === undefined) {
    const message = 'is missing: windows begin somewhere, so until.sec needs it';
    faults.push({ path: ['source', 'incremental', 'start'], message });
  }
  return faults;
}
