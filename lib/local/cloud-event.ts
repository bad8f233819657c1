/** What happens in a local cloud, for whoever watches it. */
import type { AlarmChange } from '#local/alarms/alarms';
import type { FaultEvent } from '#local/faults/fault-book';
import type { RefusedCall } from '#local/iam/caller';
import type { MappingEvent } from '#local/lambda/mapping/mapping-event';
import type { InvocationReport } from '#local/lambda/functions/function-pool';
import type { ScheduleTick } from '#local/emulators/scheduler/scheduler';
import type { ItemWriteSeen, PutSeen } from './watch-writes.ts';

export type CloudEvent =
  | ({ readonly kind: 'tick' } & ScheduleTick)
  | ({ readonly kind: 'put' } & PutSeen)
  | ({ readonly kind: 'item-write' } & ItemWriteSeen)
  /** A function's line; `json` is what it says when it is a JSON object. */
  | {
      readonly kind: 'log';
      readonly functionName: string;
      readonly requestId?: string;
      readonly line: string;
      readonly json?: Readonly<Record<string, unknown>>;
    }
  | ({ readonly kind: 'invocation' } & InvocationReport)
  /** What a mapping does with a shard: `batch`, `finished`, `retry`, `gave-up` … */
  | (MappingEvent & { readonly stream: string })
  /** An event whose function failed to the end: it is in its failure destination, or gone. */
  | {
      readonly kind: 'event-given-up';
      readonly functionName: string;
      readonly condition: string;
      readonly attempts: number;
    }
  /** A role does not allow what someone who acts as it asked for. */
  | ({ readonly kind: 'call-refused' } & RefusedCall)
  /** An alarm went into another state. */
  | ({ readonly kind: 'alarm' } & AlarmChange)
  /** A fault was added, struck for the first time, or could not. */
  | FaultEvent
  /** Ours to mend. */
  | { readonly kind: 'defect'; readonly error: unknown };
