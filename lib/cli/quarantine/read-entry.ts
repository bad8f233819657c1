/** Reads an object of quarantine, of whatever form. */
import { readGivenUpDocument } from '#adapters/objects/given-up-document';
import type { GivenUpDocument } from '#adapters/objects/given-up-document';
import { readKeptObject } from '#adapters/objects/kept-object';
import type { KeptObject } from '#adapters/objects/kept-object';
import { strictText } from '#adapters/system/strict-text';
import { decodeEvent } from '#core/record/decode-event';
import { mayMatch, needsContent } from './entries.ts';
import type { Entry, EntryFilter } from './entries.ts';
import type { QuarantineBucket } from './open-quarantine.ts';

export type EntryContent =
  | { readonly kind: 'record'; readonly kept: KeptObject }
  | {
      readonly kind: 'document';
      readonly document: GivenUpDocument;
      /** The consumer; the function's name when its consumer left the pipeline file. */
      readonly by: string;
      readonly isTriedAgain: boolean;
    }
  /** Of a form that is not known here: it is shown, and left alone. */
  | { readonly kind: 'unknown'; readonly why: string };

export interface ReadEntry extends Entry {
  readonly content: EntryContent;
  /** The object's own bytes. */
  readonly body: Uint8Array;
}

const IN_FLIGHT = 16;

/** Undefined when it is there no more. */
export async function readEntry(
  bucket: QuarantineBucket,
  entry: Entry,
): Promise<ReadEntry | undefined> {
  const body = await bucket.get(entry.key);
  return body === undefined
    ? undefined
    : { ...entry, body, content: contentOf(bucket, entry, body) };
}

/** Read many, in their order. */
export function readAll(
  bucket: QuarantineBucket,
  entries: AsyncIterable<Entry> | Iterable<Entry>,
): AsyncGenerator<ReadEntry | undefined> {
  return someAtOnce(entries, (entry) => readEntry(bucket, entry));
}

/** Those of the entries that a filter means, in their order. */
export async function* matching(
  bucket: QuarantineBucket,
  entries: AsyncIterable<Entry>,
  filter: EntryFilter,
): AsyncGenerator<Entry> {
  const judged = someAtOnce(entries, async (entry) => {
    if (!mayMatch(entry, filter)) return undefined;
    if (!needsContent(entry, filter)) return entry;
    const read = await readEntry(bucket, entry);
    return read !== undefined && isMeant(read.content, filter) ? entry : undefined;
  });
  for await (const entry of judged) if (entry !== undefined) yield entry;
}

async function* someAtOnce<T, R>(
  things: AsyncIterable<T> | Iterable<T>,
  work: (thing: T) => Promise<R>,
): AsyncGenerator<R> {
  let some: T[] = [];
  for await (const thing of things) {
    some.push(thing);
    if (some.length < IN_FLIGHT) continue;
    yield* await Promise.all(some.map(work));
    some = [];
  }
  yield* await Promise.all(some.map(work));
}

function isMeant(content: EntryContent, filter: EntryFilter): boolean {
  const { by, key, sinceMs = -Infinity, untilMs = Infinity } = filter;
  // Its key did not decide, and nothing in it can.
  if (content.kind === 'unknown') return false;
  if (content.kind === 'document') {
    const { document } = content;
    const isKey = key === undefined || document.records.some((one) => one.partitionKey === key);
    const isOf = by === undefined || by === content.by;
    return isOf && isKey && document.atMs >= sinceMs && document.atMs < untilMs;
  }
  const { kept } = content;
  const isKey = key === undefined || keyOf(kept) === key || kept.origin?.partitionKey === key;
  return isKey && kept.atMs >= sinceMs && kept.atMs < untilMs;
}

/** What names a record for a person: its key, or the partition key, or its place. */
export function keyOf({ payload, origin, place }: KeptObject): string {
  const decoded = decodeEvent(payload, strictText);
  return decoded.kind === 'event' ? decoded.event.subject : (origin?.partitionKey ?? place);
}

function contentOf(
  { consumerOf }: QuarantineBucket,
  { place }: Entry,
  body: Uint8Array,
): EntryContent {
  if (place.kind === 'record') {
    const kept = readKeptObject(body);
    return typeof kept === 'string' ? { kind: 'unknown', why: kept } : { kind: 'record', kept };
  }
  if (place.kind !== 'document') return { kind: 'unknown', why: 'its key is not of Penstock' };
  const document = readGivenUpDocument(body);
  if (document === undefined) return { kind: 'unknown', why: 'it holds no records to be read' };
  const consumer = consumerOf(document.functionName);
  const by = consumer ?? document.functionName;
  return { kind: 'document', document, by, isTriedAgain: consumer !== undefined };
}
