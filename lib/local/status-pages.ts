/** What the cloud says of itself: `/_penstock/` and `health`, `resources`, `alarms`, `calls` or `faults`. */
import type { Alarms } from './alarms/alarms.ts';
import type { WireHandler } from './contracts.ts';
import { createFaultPage, isFaultPath } from './faults/fault-page.ts';
import type { PlannedFaults } from './faults/plan-faults.ts';
import type { Rights } from './iam/rights.ts';
import { STATUS_ROOT } from './status-path.ts';

export function createStatusPages({
  resources,
  alarms,
  rights,
  faults,
}: {
  resources: Readonly<Record<string, readonly string[]>>;
  alarms: Pick<Alarms, 'list'>;
  rights: Pick<Rights, 'calls'>;
  faults: PlannedFaults;
}): WireHandler {
  const pages: Readonly<Record<string, () => object>> = {
    health: () => ({ status: 'ok', process: process.pid }),
    resources: () => resources,
    alarms: alarms.list,
    calls: rights.calls,
  };
  const faultPage = createFaultPage(faults);
  return {
    async handle(request) {
      const { path } = request;
      if (isFaultPath(path)) return faultPage.handle(request);
      const page = pages[path.slice(STATUS_ROOT.length)];
      const headers = { 'content-type': 'application/json' };
      if (page === undefined) return { status: 404, headers, body: '{"message":"no such page"}' };
      return { status: 200, headers, body: JSON.stringify(page()) };
    },
  };
}
