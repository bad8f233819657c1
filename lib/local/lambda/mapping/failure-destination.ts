/** Puts what is given up into the failure bucket, and says so either way. */
import type { Clock, ObjectStore } from '#local/contracts';
import { spanOf } from './deliver-batch.ts';
import { failureDocument, failureKey } from './failure-document.ts';
import type { FailureSource, GiveUp } from './failure-document.ts';
import type { ShardEvent } from './mapping-event.ts';

export interface FailureDestination {
  /** Undefined: what is given up is lost. */
  readonly bucket: string | undefined;
  readonly objects: ObjectStore;
  readonly clock: Clock;
}

/** A destination that refuses costs the records, as on AWS; an event tells of it. */
export function putAside(
  giveUp: GiveUp & { readonly detail: string },
  source: FailureSource,
  { bucket, objects, clock }: FailureDestination,
  emit: (event: ShardEvent) => void,
): void {
  const span = spanOf(giveUp.records);
  const { condition, detail } = giveUp;
  const told = { kind: 'gave-up', ...span, condition, detail } as const;
  if (bucket === undefined) return emit(told);
  const key = failureKey(source, clock.nowMs());
  const document = JSON.stringify(failureDocument(giveUp, source, clock.nowMs()));
  try {
    objects.put(bucket, key, Buffer.from(document));
  } catch (error) {
    emit(told);
    emit({ kind: 'destination-failed', ...span, message: String(error) });
    return;
  }
  emit({ ...told, key });
}
