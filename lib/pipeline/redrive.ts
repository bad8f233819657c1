/**
 * Sends records of a quarantine to their consumer again, in the order of the stream.
 *
 * Always true: a record leaves quarantine only after its consumer has finished it, and what it
 * refuses or returns stays. A crash at any point leaves records that a second run sends again.
 */
import { assert } from '#core/assert';
import { redriveOrder } from '#core/batch/redrive-order';
import type { StreamPosition } from '#core/batch/redrive-order';
import type { Finish } from '#core/checkpoint/record-end';
import type { StoredRecord } from '#core/record/records';
import type { KeptRecords } from '#ports/kept-records';
import { outOfTurnSender } from './send-out-of-turn.ts';
import type { OutOfTurnOptions, OutOfTurnPorts, Sent, SentEnd } from './send-out-of-turn.ts';
import { sideBySide } from './side-by-side.ts';

export interface KeptEntry {
  readonly key: string;
  readonly position: StreamPosition;
}

export interface RedrivePorts extends Omit<OutOfTurnPorts, 'settle'> {
  readonly kept: KeptRecords;
  /** Told after each call, of everything so far. */
  readonly onProgress?: (counts: RedriveCounts) => void;
}

/**
 * Conservation: found = written + stale + folded + refused + returned + unsendable + gone.
 */
export interface RedriveCounts {
  readonly found: number;
  readonly written: number;
  readonly stale: number;
  readonly folded: number;
  readonly refused: number;
  /** Not finished, or not sent at all, as it stopped before. */
  readonly returned: number;
  /** No consumer can be sent it: see `unsendable`. */
  readonly unsendable: number;
  /** Somebody else took it out of quarantine meanwhile. */
  readonly gone: number;
}

export interface Redriven extends Omit<Sent, 'ends'> {
  readonly counts: RedriveCounts;
  /** Why, by key. */
  readonly unsendable: ReadonlyMap<string, string>;
}

/** Read at once, and held in memory: each may be as large as a record of a stream. */
const PAGE_RECORDS = 32;
const IN_FLIGHT = 8;

/** @throws what a port throws for good; what was finished by then is retired. */
export async function redrive(
  entries: readonly KeptEntry[],
  options: Omit<OutOfTurnOptions, 'passage'>,
  { kept, onProgress, ...ports }: RedrivePorts,
): Promise<Redriven> {
  const counts = { written: 0, stale: 0, folded: 0, refused: 0, gone: 0 };
  const unsendable = new Map<string, string>();
  const refused: string[] = [];
  const keys = new Map<StoredRecord, string>();
  const send = outOfTurnSender({ ...options, passage: 'redrive' }, { ...ports, settle });
  const ordered = redriveOrder(entries);
  let sent: Omit<Sent, 'ends'> = {};
  for (let at = 0; at < ordered.length && sent.stop === undefined; at += PAGE_RECORDS) {
    const { ends: _ends, ...rest } = await send(
      await readPage(ordered.slice(at, at + PAGE_RECORDS)),
    );
    sent = rest;
  }
  if (refused.length > 0) await kept.leaveNewest(refused);
  return { counts: total(), unsendable, ...sent };

  function total(): RedriveCounts {
    const { written, stale, folded, refused, gone } = counts;
    const left = ordered.length - written - stale - folded - refused - gone - unsendable.size;
    return { found: ordered.length, ...counts, returned: left, unsendable: unsendable.size };
  }

  async function readPage(page: readonly KeptEntry[]): Promise<readonly StoredRecord[]> {
    const records = new Map<KeptEntry, StoredRecord>();
    await sideBySide(page, { inFlightMax: () => IN_FLIGHT }, async (entry) => {
      const record = await kept.read(entry.key);
      if (record === undefined) counts.gone += 1;
      else if ('unsendable' in record) unsendable.set(entry.key, record.unsendable);
      else records.set(entry, record);
    });
    keys.clear();
    for (const [entry, record] of records) keys.set(record, entry.key);
    return page.flatMap((entry) => records.get(entry) ?? []);
  }

  async function settle(records: readonly StoredRecord[], ends: readonly SentEnd[]): Promise<void> {
    const places = [...records.entries()];
    await sideBySide(places, { inFlightMax: () => IN_FLIGHT }, async ([at, one]) => {
      const end = ends[at];
      const key = keys.get(one);
      assert(end !== undefined && key !== undefined, 'what is settled was read and sent');
      if (end === 'too-large') unsendable.set(key, 'it is larger than a call may be (6 MiB)');
      if (isFinished(end)) await kept.retire(key, end);
      if (end === 'refused') refused.push(key);
      if (isFinished(end) || end === 'refused') counts[end] += 1;
    });
    onProgress?.(total());
  }
}

/** It needs no quarantine any more. */
function isFinished(end: SentEnd): end is Exclude<Finish, 'refused'> {
  return end === 'written' || end === 'stale' || end === 'folded';
}
