/** Sends what is given up to the failure destination, and says so either way. */
import type { Clock, ObjectStore, QueueStore } from '#local/contracts';
import { failureDocument, failureKey, withPayload } from './failure-document.ts';
import type { FailureSource, GiveUp } from './failure-document.ts';
import type { FailureTarget } from './failure-target.ts';
import type { ShardEvent } from './mapping-event.ts';
import { spanOf } from './span-of.ts';

export interface FailureDestination {
  /** Undefined: what is given up is lost. */
  readonly target: FailureTarget | undefined;
  readonly objects: ObjectStore;
  readonly queues: QueueStore;
  readonly clock: Clock;
}

/** A destination that refuses costs the records, as on AWS; an event tells of it. */
export function putAside(
  giveUp: GiveUp & { readonly detail: string },
  source: FailureSource,
  destination: FailureDestination,
  emit: (event: ShardEvent) => void,
): void {
  const span = spanOf(giveUp.records);
  const { condition, detail } = giveUp;
  const told = { kind: 'gave-up', ...span, condition, detail } as const;
  let place: { readonly key?: string; readonly queue?: string };
  try {
    place = deliver(giveUp, source, destination);
  } catch (error) {
    emit(told);
    emit({ kind: 'destination-failed', ...span, message: String(error) });
    return;
  }
  emit({ ...told, ...place });
}

function deliver(
  giveUp: GiveUp,
  source: FailureSource,
  { target, objects, queues, clock }: FailureDestination,
): { readonly key?: string; readonly queue?: string } {
  if (target === undefined) return {};
  const nowMs = clock.nowMs();
  const document = failureDocument(giveUp, source, nowMs);
  if (target.kind === 'queue') {
    queues.send(target.queueArn, JSON.stringify(document));
    return { queue: target.queueArn };
  }
  const key = failureKey(source, nowMs);
  const whole = JSON.stringify(withPayload(document, giveUp.records));
  objects.put(target.bucket, key, Buffer.from(whole));
  return { key };
}
