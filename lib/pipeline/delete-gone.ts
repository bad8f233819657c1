/** Publishes the deletes of keys that a source no longer shows. */
import { assert } from '#core/assert';
import { deleteOf } from '#core/record/delete-of';
import { keyParts } from '#core/record/key-text';
import type { PartitionKey } from '#core/record/records';
import type { LedgerRow } from '#core/source/ledger';
import { encodeEvent, textEncoding } from './encode-texts.ts';
import { sizeOf } from './poll-page.ts';
import type { PollOptions, PollOutcome, PollWorld } from './poll-options.ts';
import type { SendPage } from './send-page.ts';

/** Held in memory at once. */
const DELETES_AT_ONCE = 2_000;

export interface DeletingWorld {
  readonly options: PollOptions;
  readonly digest: PollWorld['digest'];
  readonly epoch: number;
  readonly count: () => number;
  readonly send: SendPage;
  /** When they were found gone, by the source's clock. */
  readonly atMs: number;
}

/** @returns what ended the poll before all of them were confirmed. */
export async function deleteGone(
  gone: ReadonlyMap<string, LedgerRow>,
  world: DeletingWorld,
): Promise<PollOutcome | undefined> {
  const keys = [...gone];
  const texts = textEncoding();
  for (let at = 0; at < keys.length; at += DELETES_AT_ONCE) {
    texts.reuse();
    const outgoing = keys.slice(at, at + DELETES_AT_ONCE).map(([key, row]) => {
      const event = deleteEvent(key, row, world);
      return sizeOf(event.partitionKey, encodeEvent(event, texts));
    });
    const sent = await world.send({ rows: [], outgoing, refused: [], skipped: 0, filtered: 0 });
    if (sent.kind !== 'published') return sent;
  }
  return undefined;
}

function deleteEvent(
  key: string,
  { partitionKey = key }: LedgerRow,
  { options: { rules }, digest, epoch, count, atMs }: DeletingWorld,
) {
  const parts = keyParts(key, rules.key.length);
  // The key of a file that has changed: its rows are another table's.
  assert(parts !== undefined, 'a key of the ledger has as many parts as the key of the file');
  const record = { parts, partitionKey: partitionKey as PartitionKey, atMs };
  const event = deleteOf(record, rules, { epoch, counter: count(), digest });
  assert(event.kind === 'event', 'a key that was published can be deleted');
  return event;
}
