/** What rests in quarantine, as text and as JSON. */
import { strictText } from '#adapters/system/strict-text';
import { parseExact } from '#core/record/exact-json';
import type { Listing } from '#cli/quarantine/list';
import { keyOf } from '#cli/quarantine/read-entry';
import type { EntryContent, ReadEntry } from '#cli/quarantine/read-entry';
import { columns, count, fit, plural, shorten, span } from './text.ts';
import { visible } from './visible.ts';

const KEY_WIDTH = 36;
const DETAIL_WIDTH = 60;
const MS_PER_DAY = 86_400_000;
const LEFT_BEHIND =
  'A batch whose consumer left the pipeline file is tried again once the consumer is back in it and deployed; `penstock quarantine export` has its records.';
/** What is no Unicode text is shown so far. */
const BASE64_WIDTH = 400;

export function listLines(listing: Listing, where: string, nowMs: number): string[] {
  const { found, fromDay, counts, newest } = listing;
  if (fromDay === undefined) return [`Nothing is ${where}.`];
  const days = Math.max(0, Math.floor((nowMs - Date.parse(fromDay)) / MS_PER_DAY));
  const rest = found - newest.length;
  const head = ['ID', 'REFUSED BY', 'REASON', 'ARRIVED', 'KEY', 'BYTES', 'DETAIL'];
  return [
    ...(newest.length === 0 ? [] : columns([head, ...newest.map((one) => cellsOf(one, nowMs))])),
    ...(newest.length > 0 && rest > 0
      ? [`… and ${plural(rest, 'older one')}: -n shows more.`]
      : []),
    `${plural(found, 'object')} ${where}, the oldest of ${fromDay} (${plural(days, 'day')} ago):`,
    ...columns(counts.map((one) => ['', count(one.count), one.by, one.reason])),
    ...(newest.some(isLeftBehind) ? [LEFT_BEHIND] : []),
  ];
}

/** Nobody reads it any more. */
function isLeftBehind({ content }: ReadEntry): boolean {
  return content.kind === 'document' && !content.isTriedAgain;
}

function cellsOf(entry: ReadEntry, nowMs: number): string[] {
  const { by, reason, key, atMs, detail } = summaryOf(entry);
  return [
    entry.id,
    by,
    reason,
    Number.isNaN(atMs) ? '?' : `${span(Math.max(0, nowMs - atMs))} ago`,
    shorten(visible(key), KEY_WIDTH),
    count(entry.bytes),
    fit(visible(detail), DETAIL_WIDTH),
  ];
}

interface Summary {
  readonly by: string;
  readonly reason: string;
  readonly key: string;
  readonly atMs: number;
  readonly detail: string;
}

function summaryOf({ content, key, modifiedMs }: ReadEntry): Summary {
  if (content.kind === 'record') {
    const { stage: by, reason, atMs, detail, redriven } = content.kept;
    const how = redriven === undefined ? detail : `sent again: ${redriven.end}`;
    return { by, reason, key: keyOf(content.kept), atMs, detail: how };
  }
  if (content.kind === 'unknown') {
    return { by: '?', reason: '?', key, atMs: modifiedMs, detail: content.why };
  }
  const { atMs, condition, records } = content.document;
  const detail = content.isTriedAgain
    ? `${condition}: each of them is tried again within minutes`
    : 'not tried again: its consumer left the pipeline file';
  return {
    by: content.by,
    reason: 'given-up',
    key: plural(records.length, 'record'),
    atMs,
    detail,
  };
}

export function listJson(listing: Listing, where: object): object {
  const { found, fromDay, counts, newest } = listing;
  return { ...where, found, fromDay: fromDay ?? null, counts, newest: newest.map(entryJson) };
}

/** One object with all that is known of it: moments as ISO 8601, bytes as base64 where they are no text. */
export function entryJson(entry: ReadEntry): object {
  const { id, key: object, content, body } = entry;
  if (content.kind === 'unknown') {
    return { id, object, kind: 'unknown', why: content.why, base64: base64(body) };
  }
  if (content.kind === 'document') {
    const { condition, attempts, atMs, records } = content.document;
    const { by, isTriedAgain: triedAgain } = content;
    const told = { id, object, kind: 'given-up', by, triedAgain, condition, attempts };
    return { ...told, at: isoOf(atMs), records: records.map(recordJson) };
  }
  const {
    pipeline,
    stage: by,
    reason,
    detail,
    place,
    atMs,
    origin,
    redriven,
    payload,
  } = content.kept;
  return {
    id,
    object,
    kind: 'record',
    pipeline,
    by,
    reason,
    detail,
    key: keyOf(content.kept),
    place,
    at: isoOf(atMs),
    origin: origin ?? null,
    redriven: redriven === undefined ? null : { at: isoOf(redriven.atMs), end: redriven.end },
    ...payloadJson(payload),
  };
}

function recordJson({ data, ...origin }: DocumentRecord): object {
  return { origin, ...payloadJson(data) };
}

type DocumentRecord = Extract<EntryContent, { kind: 'document' }>['document']['records'][number];

function payloadJson(payload: Uint8Array): { payload: string } | { payloadBase64: string } {
  const text = textOf(payload);
  return text === undefined ? { payloadBase64: base64(payload) } : { payload: text };
}

export function showLines(entry: ReadEntry): string[] {
  const { content } = entry;
  const rows: [string, string][] = [
    ['id', entry.id],
    ['object', entry.key],
  ];
  if (content.kind === 'unknown') {
    return columns([...rows, ['kept', isoOf(entry.modifiedMs)], ['form', content.why]]);
  }
  if (content.kind === 'document') {
    const { condition, attempts, atMs, records } = content.document;
    return [
      ...columns([
        ...rows,
        ['given up', `${isoOf(atMs)} by the mapping of ${content.by}`],
        ['condition', `${condition} after ${plural(attempts, 'attempt')}`],
      ]),
      ...(isLeftBehind(entry) ? [LEFT_BEHIND] : []),
      ...records.flatMap((record) => [
        `${record.shardId} ${record.sequenceNumber}, key ${record.partitionKey}`,
        ...payloadLines(record.data),
      ]),
    ];
  }
  const { kept } = content;
  const { origin, redriven } = kept;
  return [
    ...columns([
      ...rows,
      ['refused by', `${kept.stage}: ${kept.reason}`],
      ['detail', kept.detail],
      ['key', keyOf(kept)],
      [origin === undefined ? 'kept' : 'arrived', isoOf(kept.atMs)],
      ...(origin === undefined
        ? [['place', kept.place]]
        : [
            ['shard', origin.shardId],
            ['sequence', origin.sequenceNumber],
            ['partition key', origin.partitionKey],
          ]),
      ...(redriven === undefined
        ? []
        : [['sent again', `${isoOf(redriven.atMs)}: ${redriven.end}`]]),
      ['payload', plural(kept.payload.byteLength, 'byte')],
    ]),
    ...payloadLines(kept.payload),
  ];
}

/** Indented where it is JSON, every digit as it came. */
function payloadLines(payload: Uint8Array): string[] {
  const text = textOf(payload);
  if (text === undefined) return [`base64 ${fit(base64(payload), BASE64_WIDTH)}`];
  return prettyJson(text).split('\n');
}

export function prettyJson(text: string): string {
  try {
    return JSON.stringify(parseExact(text), null, 2);
  } catch {
    return text;
  }
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return strictText(bytes);
  } catch {
    return undefined;
  }
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
