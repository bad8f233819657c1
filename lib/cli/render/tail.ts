/** A record of the stream as one line. */
import type { ReadRecord } from '#cli/stream-reader';
import { visible } from './visible.ts';

/** Write a record as JSON; the event stands in it as it stands in the stream, digits and all. */
export function tailJson(record: ReadRecord): string {
  const text = textOf(record.data);
  const head = JSON.stringify({
    shardId: record.shardId,
    sequenceNumber: record.sequenceNumber,
    partitionKey: record.partitionKey,
    arrivalTime: new Date(record.arrivalTimeMs).toISOString(),
  });
  const body = isJson(text)
    ? `"event":${text}`
    : `"base64":${JSON.stringify(Buffer.from(record.data).toString('base64'))}`;
  return `${head.slice(0, -1)},${body}}`;
}

/** Write a record for a person: when, where, what, and the content. */
export function tailLine(record: ReadRecord): string {
  const text = textOf(record.data);
  const when = new Date(record.arrivalTimeMs).toISOString();
  const shard = record.shardId.replace(/^shardId-0*(?=\d)/, '');
  const event = isJson(text) ? (JSON.parse(text) as { type?: unknown; id?: unknown } | null) : null;
  const what = event === null ? 'not an event' : `${String(event.type)}  ${String(event.id)}`;
  return `${when}  shard ${shard}  ${visible(what)}\n    ${visible(contentOf(text))}`;
}

/** The event's `data` digit by digit: a double in between would change it. */
function contentOf(text: string): string {
  const from = text.indexOf('"data":');
  return (from < 0 ? text : text.slice(from + '"data":'.length, -1)).trim();
}

function textOf(data: Uint8Array): string {
  return new TextDecoder().decode(data);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
