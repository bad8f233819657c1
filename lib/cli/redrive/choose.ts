/** Chooses what of quarantine is sent again. */
import { restingIn } from '#cli/quarantine/entries';
import type { Entry, EntryFilter } from '#cli/quarantine/entries';
import type { QuarantineBucket } from '#cli/quarantine/open-quarantine';
import { matching } from '#cli/quarantine/read-entry';
import { redriveOrder } from '#core/batch/redrive-order';
import type { StreamPosition } from '#core/batch/redrive-order';

export interface SendableEntry extends Entry {
  readonly position: StreamPosition;
}

export interface Chosen {
  /** In the order in which they go. */
  readonly sendable: readonly SendableEntry[];
  /** Their keys do not say where in the stream they were. */
  readonly placeless: readonly Entry[];
  /** They arrived too long ago: a tombstone that outdates them may be gone. */
  readonly expired: readonly Entry[];
  /** Batches that were given up and not yet read: nothing for a command. */
  readonly documents: number;
  /** `2026-11-02`, of the oldest; undefined when there is none. */
  readonly fromDay: string | undefined;
}

const MS_PER_DAY = 86_400_000;

/**
 * What arrived more than `keptDays` before `nowMs` is left out, by the days of UTC. S3 counts from when
 * an object was put, and what is refused again is put again.
 */
export async function chooseEntries(
  bucket: QuarantineBucket,
  filter: EntryFilter,
  { keptDays, nowMs }: { readonly keptDays: number; readonly nowMs: number },
): Promise<Chosen> {
  const keptFrom = new Date(nowMs - keptDays * MS_PER_DAY).toISOString().slice(0, 10);
  const sendable: SendableEntry[] = [];
  const placeless: Entry[] = [];
  const expired: Entry[] = [];
  let documents = 0;
  let fromDay: string | undefined;
  for await (const entry of matching(bucket, restingIn(bucket), filter)) {
    const { place } = entry;
    if (place.kind === 'document') documents += 1;
    if (place.kind !== 'record') continue;
    if (fromDay === undefined || place.day < fromDay) fromDay = place.day;
    if (place.position === undefined) placeless.push(entry);
    else if (place.day < keptFrom) expired.push(entry);
    else sendable.push({ ...entry, position: place.position });
  }
  return { sendable: redriveOrder(sendable), placeless, expired, documents, fromDay };
}
