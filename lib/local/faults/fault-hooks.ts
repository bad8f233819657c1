/** Says of each hook of a fault plan which kinds of faults strike there, and what they do. */
import type { FaultPlan } from '#local/contracts';
import type { Fault, FaultKindName } from './fault.ts';
import { serviceName } from './operation-of.ts';

/** The first fault of these kinds that strikes the target now; it is counted as a hit. */
export type FindFault = <K extends FaultKindName>(
  kinds: readonly K[],
  target: Readonly<Record<string, string | number>>,
) => Extract<Fault, { kind: K }> | undefined;

/** What the emulators ask, answered by what is found. */
export function faultHooks(find: FindFault): Required<FaultPlan> {
  return {
    onRequest({ service, operation }) {
      const kinds = ['error-before', 'error-after', 'cut-before', 'cut-after'] as const;
      const fault = find([...kinds, 'cut-amid', 'hang', 'delay'], {
        service: serviceName(service),
        operation,
      });
      if (fault === undefined) return undefined;
      return fault.kind === 'delay'
        ? { kind: 'delay', delayMs: fault.delayMs }
        : { kind: fault.kind };
    },
    onPut(stream, entry) {
      const fault = find(['throttle-entries', 'refuse-entry'], { stream, entry });
      if (fault === undefined) return undefined;
      return fault.kind === 'throttle-entries' ? 'throttle' : 'fail';
    },
    onPutRequest(stream) {
      const fault = find(['refuse-put', 'lose-put-answer'], { stream });
      if (fault === undefined) return undefined;
      return fault.kind === 'refuse-put' ? 'refuse' : 'timeout-after-write';
    },
    onRead(stream, shard) {
      const fault = find(['throttle-read', 'expire-iterator'], { stream, shard });
      if (fault === undefined) return undefined;
      return fault.kind === 'throttle-read' ? 'throttle' : 'expire';
    },
    onTable(table, operation) {
      const fault = find(['throttle-table', 'lose-table-answer'], { table, operation });
      if (fault === undefined) return undefined;
      return fault.kind === 'throttle-table' ? 'throttle' : 'timeout-after-write';
    },
    onBatchItem(table, item) {
      return find(['unprocessed-item'], { table, item }) === undefined ? undefined : 'unprocessed';
    },
    onInvoke(name) {
      const fault = find(['kill-function', 'freeze-function', 'skew-clock'], { function: name });
      switch (fault?.kind) {
        case undefined:
          return undefined;
        case 'kill-function':
          return { kind: 'kill', afterMs: fault.intoMs };
        case 'freeze-function':
          return { kind: 'freeze', afterMs: fault.intoMs };
        case 'skew-clock':
          return { kind: 'skew', skewMs: fault.skewMs };
      }
    },
    onBatch(name, shard) {
      const fault = find(['deliver-again', 'withhold-batch'], { function: name, shard });
      if (fault === undefined) return undefined;
      return fault.kind === 'deliver-again' ? 'again' : 'withhold';
    },
    onTick(schedule) {
      const fault = find(['lose-tick', 'double-tick'], { schedule });
      if (fault === undefined) return undefined;
      return fault.kind === 'lose-tick' ? 'drop' : 'twice';
    },
  };
}
