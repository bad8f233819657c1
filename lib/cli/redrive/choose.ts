/** Chooses what of quarantine is sent again. */
import type { Bucket } from '#adapters/objects/bucket';
import { restingIn } from '#cli/quarantine/entries';
import type { Entry, EntryFilter } from '#cli/quarantine/entries';
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
  /** Batches that were given up and not yet read: nothing for a command. */
  readonly documents: number;
  /** `2026-11-02`, of the oldest; undefined when there is none. */
  readonly fromDay: string | undefined;
}

export async function chooseEntries(bucket: Bucket, filter: EntryFilter): Promise<Chosen> {
  const sendable: SendableEntry[] = [];
  const placeless: Entry[] = [];
  let documents = 0;
  let fromDay: string | undefined;
  for await (const entry of matching(bucket, restingIn(bucket), filter)) {
    const { place } = entry;
    if (place.kind === 'document') documents += 1;
    if (place.kind !== 'record') continue;
    if (fromDay === undefined || place.day < fromDay) fromDay = place.day;
    if (place.position === undefined) placeless.push(entry);
    else sendable.push({ ...entry, position: place.position });
  }
  return { sendable: redriveOrder(sendable), placeless, documents, fromDay };
}
