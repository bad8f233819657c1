/** Brings one page of records into the stream, and what cannot go there into quarantine. */
import { assert } from '#core/assert';
import { refuseOversized } from '#core/batch/record-size';
import type { JsonValue } from '#core/record/json';
import type { OutgoingRecord } from '#core/record/records';
import type { Refusal } from '#core/record/refusal';
import { rawText } from '#core/record/raw-text';
import { timestampOfMs } from '#core/record/timestamp';
import type { Timestamp } from '#core/record/timestamp';
import { toEvent } from '#core/record/to-event';
import type { EventOutcome } from '#core/record/to-event';
import type { SeenRow } from '#core/source/cursor';
import { historyDates } from '#core/source/history-dates';
import { rowTime } from '#core/source/row-time';
import { keyBits, sightOf } from '#core/source/sight';
import type { SightMemory } from '#core/source/sight';
import { utf8Bytes } from '#core/utf8';
import type { Refused } from '#ports/quarantine';
import { encodeEvent } from './encode-texts.ts';
import type { TextEncoding } from './encode-texts.ts';
import type { PollOptions, PollWorld } from './poll-options.ts';
import { publish } from './publish.ts';
import type { PublishResult, PutPermission, SizedRecord } from './publish.ts';
import type { SnapshotRow, SnapshotRun } from './snapshot-run.ts';

/** Quarantined objects stored side by side. */
const QUARANTINE_CONCURRENCY = 8;

export interface PageContext {
  readonly epoch: number;
  /** The source's clock when the page was asked for. */
  readonly sourceMs: number;
  /** Numbers the records seen under this lease. */
  readonly count: () => number;
  readonly memory: SightMemory;
  /** Notes what is shown, and tells in the place of `memory` what is known where a source is read as a whole. */
  readonly snapshot?: Pick<SnapshotRun, 'isKnown'> | undefined;
  /** Holds what goes out: it may be reused once the page is published. */
  readonly texts: TextEncoding;
  /** By its index, a record as its source wrote it. */
  readonly bytesOf: (index: number) => Uint8Array | undefined;
  readonly mayPut: () => Promise<PutPermission>;
}

export interface SortedPage {
  readonly rows: readonly SeenRow[];
  readonly outgoing: readonly SizedRecord[];
  readonly refused: readonly Refused[];
  readonly skipped: number;
  readonly filtered: number;
}

const encoder = new TextEncoder();

/** Decide of each record whether it is published, refused, left out, or known already. */
export function sortPage(
  records: readonly JsonValue[],
  options: PollOptions,
  world: Pick<PollWorld, 'digest' | 'clock'>,
  { epoch, sourceMs, count, memory, snapshot, texts, bytesOf }: Omit<PageContext, 'mayPut'>,
): SortedPage {
  const rows: SeenRow[] = [];
  const outgoing: SizedRecord[] = [];
  const refused: Refused[] = [];
  let skipped = 0;
  let filtered = 0;
  const { incremental } = options.source;
  const { digest } = world;
  const dates = datesOf(records, options);

  // Cheaper by a tenth than their entries.
  for (let at = 0; at < records.length; at++) {
    const record = records[at] as JsonValue;
    const time = incremental && rowTime(record, incremental.path, incremental.fieldFormat);
    const outcome = toEvent(record, options.rules, {
      epoch,
      counter: count(),
      sourceMs,
      changedAt: dates?.[at],
      digest,
      bytes: bytesOf(at),
    });
    if (outcome.kind === 'filtered') {
      filtered++;
      rows.push({ time, sight: undefined });
      continue;
    }
    const sized =
      outcome.kind === 'event'
        ? sizeOf(outcome.partitionKey, encodeEvent(outcome, texts))
        : undefined;
    const refusal =
      outcome.kind === 'refused'
        ? outcome
        : sized && refuseOversized(sized.bytes, options.recordBytesMax);
    const raw = refusal && rawText(record);
    const names =
      raw === undefined && outcome.kind === 'event'
        ? { key: outcome.key, digest: outcome.digest }
        : { key: raw ?? '', digest: digest(raw ?? '') };
    const key = keyBits(names.key);
    rows.push({ time, sight: sightOf(key, names.digest) });
    const isGone = outcome.kind === 'event' && outcome.isGone && refusal === undefined;
    const told = snapshot?.isKnown(snapshotRow(outcome, { digest: names.digest, isGone }));
    if (told ?? memory.note(key, names.digest)) {
      skipped++;
      continue;
    }
    if (refusal && raw !== undefined) {
      refused.push(toRefused(refusal, raw, names.digest, options.pipeline, world.clock.nowMs()));
    } else if (sized) {
      outgoing.push(sized);
    }
  }
  return { rows, outgoing, refused, skipped, filtered };
}

/** Of a backfill, when its records changed; undefined in live polls, which go by when they see them. */
function datesOf(
  records: readonly JsonValue[],
  { passage, untilMs = 0, source: { incremental } }: PollOptions,
): readonly Timestamp[] | undefined {
  if (passage === undefined || incremental === undefined) return undefined;
  const { path, fieldFormat } = incremental;
  const times = records.map((record) => rowTime(record, path, fieldFormat));
  return historyDates(times, timestampOfMs(untilMs));
}

function snapshotRow(
  outcome: EventOutcome,
  known: Pick<SnapshotRow, 'digest' | 'isGone'>,
): SnapshotRow {
  if (outcome.kind !== 'event') return { ...known, key: undefined, partitionKey: undefined };
  const { key, partitionKey } = outcome;
  return { ...known, key, partitionKey: partitionKey === key ? undefined : partitionKey };
}

/** A record with its size as the stream counts it. */
export function sizeOf(
  partitionKey: OutgoingRecord['partitionKey'],
  data: OutgoingRecord['data'],
): SizedRecord {
  const bytes = data.byteLength + utf8Bytes(partitionKey);
  return { partitionKey, bytes, record: { partitionKey, data } };
}

function toRefused(
  { reason, detail }: Refusal,
  raw: string,
  place: string,
  pipeline: string,
  atMs: number,
): Refused {
  return { pipeline, stage: 'poll', reason, detail, place, payload: encoder.encode(raw), atMs };
}

/** Publish a sorted page. Nothing may be saved before this and `quarantinePage` are done. */
export async function publishPage(
  page: SortedPage,
  options: PollOptions,
  world: PollWorld,
  mayPut: PageContext['mayPut'],
): Promise<PublishResult> {
  const { pipeline, requestLimits, recordBytesMax, requestsInFlight } = options;
  const { writer, pacer, clock, chance, report } = world;
  const result = await publish(
    page.outgoing,
    {
      pipeline,
      recordBytesMax,
      requestsInFlight,
      ...(requestLimits ? { limits: requestLimits } : {}),
    },
    { writer, clock, chance, report, mayPut, ...(pacer ? { pacer } : {}) },
  );
  assert(result.refused.length === 0, 'a page was sorted before it is published');
  return result;
}

/** Store what of a sorted page cannot go into the stream. */
export async function quarantinePage(
  { refused }: SortedPage,
  { pipeline }: PollOptions,
  { quarantine, report }: PollWorld,
): Promise<void> {
  for (let at = 0; at < refused.length; at += QUARANTINE_CONCURRENCY) {
    const some = refused.slice(at, at + QUARANTINE_CONCURRENCY);
    await Promise.all(some.map((one) => quarantine.put(one)));
    for (const { reason, detail, place } of some) {
      report({ event: 'RecordRefused', pipeline, stage: 'poll', reason, detail, place });
    }
  }
}
