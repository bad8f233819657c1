/** The faults of a running cloud: those that can be listed and changed, and a plan of the caller's own. */
import type { Chance, Clock, FaultPlan, RequestFault, WireRequest } from '#local/contracts';
import type { Fault } from './fault.ts';
import { operationOf } from './operation-of.ts';
import { planFaults } from './plan-faults.ts';
import type { FaultBookOptions } from './fault-book.ts';
import type { PlannedFaults } from './plan-faults.ts';

export interface CloudFaults {
  /** What the emulators ask. */
  readonly plan: FaultPlan;
  /** What can be added to, and listed. */
  readonly planned: PlannedFaults;
  ofRequest(request: WireRequest): RequestFault | undefined;
  /** Adds the faults that the cloud was started with. */
  begin(): void;
}

/** Where both have something to say, the caller's own plan is heard first. */
export function cloudFaults(
  given: readonly Fault[] | FaultPlan,
  { chance, clock, ...more }: FaultBookOptions & { readonly chance: Chance; readonly clock: Clock },
): CloudFaults {
  const planned = planFaults([], chance, clock, more);
  const own: FaultPlan = isList(given) ? {} : given;
  const plan: Required<FaultPlan> = {
    onRequest: (request) => own.onRequest?.(request) ?? planned.onRequest(request),
    onPut: (stream, index) => own.onPut?.(stream, index) ?? planned.onPut(stream, index),
    onPutRequest: (stream) => own.onPutRequest?.(stream) ?? planned.onPutRequest(stream),
    onRead: (stream, shard) => own.onRead?.(stream, shard) ?? planned.onRead(stream, shard),
    onTable: (table, operation) =>
      own.onTable?.(table, operation) ?? planned.onTable(table, operation),
    onBatchItem: (table, index) =>
      own.onBatchItem?.(table, index) ?? planned.onBatchItem(table, index),
    onInvoke: (name) => own.onInvoke?.(name) ?? planned.onInvoke(name),
    onBatch: (name, shard) => own.onBatch?.(name, shard) ?? planned.onBatch(name, shard),
    onTick: (schedule) => own.onTick?.(schedule) ?? planned.onTick(schedule),
  };
  return {
    plan,
    planned,
    ofRequest(request) {
      const named = operationOf(request);
      return named === undefined ? undefined : plan.onRequest(named);
    },
    begin() {
      if (isList(given)) for (const fault of given) planned.add(fault);
    },
  };
}

function isList(given: readonly Fault[] | FaultPlan): given is readonly Fault[] {
  return Array.isArray(given);
}
