import { authParamFaults } from './auth-faults.ts';
import type { Fault } from './faults.ts';
import { firstQueryFaults } from './first-query-faults.ts';
import { incrementalFaults } from './incremental-faults.ts';
import { paginationFaults } from './pagination-faults.ts';
import { paramFaults } from './param-faults.ts';
import type { SourceSettings } from './pipeline-settings.ts';
import { recordsFaults } from './records-faults.ts';

/** What contradicts itself in how a feed is asked and read: of records, or of deletes. */
export function askingFaults(source: SourceSettings): readonly Fault[] {
  return [
    ...authParamFaults(source),
    ...recordsFaults(source),
    ...paramFaults(source),
    ...paginationFaults(source),
    ...firstQueryFaults(source),
    ...incrementalFaults(source),
  ];
}
