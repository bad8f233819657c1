/** Faults of a local cloud, as a table and as a line. */
import type { Fault } from '#local/faults/fault';
import type { FaultEvent, PlannedFault } from '#local/faults/fault-book';
import { columns, count } from './text.ts';

export function renderFaults(faults: readonly PlannedFault[]): string[] {
  if (faults.length === 0) return ['There is no fault.'];
  const rows = faults.map(({ id, fault, hits, failure }) => [
    id,
    fault.kind,
    membersOf(fault) || '-',
    failure === undefined ? count(hits) : failure,
  ]);
  return columns([['ID', 'KIND', 'WHERE AND WHEN', 'STRUCK'], ...rows]);
}

export function renderFaultEvent({ kind, id, fault, failure }: FaultEvent): string {
  const named = `${fault.kind} ${membersOf(fault)}`.trim();
  switch (kind) {
    case 'fault-added':
      return `Fault ${id} is added: ${named}`;
    case 'fault-hit':
      return `Fault ${id} strikes for the first time: ${named}`;
    case 'fault-failed':
      return `Fault ${id} cannot strike: ${failure ?? named}`;
  }
}

/** `stream=orders share=0.3`, as the command line takes it. */
function membersOf(fault: Fault): string {
  return Object.entries(fault)
    .filter(([name]) => name !== 'kind')
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(' ');
}
