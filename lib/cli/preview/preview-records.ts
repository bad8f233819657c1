/** What would become of a source's records, one by one, if they were published now. */
import { md5HashKey } from '#adapters/system/hash-key';
import { contentDigest } from '#adapters/system/content-digest';
import { strictText } from '#adapters/system/strict-text';
import { refuseOversized } from '#core/batch/record-size';
import { hashRing } from '#core/partition/hash-ring';
import type { HashRing } from '#core/partition/hash-ring';
import { uniformShards } from '#core/partition/uniform-shards';
import { decodeEvent, isDelete } from '#core/record/decode-event';
import type { JsonValue } from '#core/record/json';
import type { Refusal } from '#core/record/refusal';
import type { StreamEvent } from '#core/record/stream-event';
import { toEvent } from '#core/record/to-event';
import { keyBits, sightMemory } from '#core/source/sight';
import type { SightMemory } from '#core/source/sight';
import { utf8Bytes } from '#core/utf8';
import { encodeEvent, textEncoding } from '#pipeline/encode-texts';
import type { TextEncoding } from '#pipeline/encode-texts';
import type { PollOptions } from '#pipeline/poll-options';

export interface PublishedRow {
  readonly kind: 'published';
  readonly change: 'upsert' | 'delete';
  readonly key: string;
  readonly partitionKey: string;
  /** From 0; null on demand, where AWS decides how many there are. */
  readonly shard: number | null;
  /** As the source wrote it. */
  readonly version: string;
  /** Partition key and data together. */
  readonly bytes: number;
  readonly event: StreamEvent;
}

export type PreviewRow =
  | PublishedRow
  | Refusal
  /** Left out by the pipeline's map. */
  | { readonly kind: 'filtered' }
  /** Came before with the same content: it is published once. */
  | { readonly kind: 'repeated' };

type PreviewRules = Pick<PollOptions, 'rules' | 'recordBytesMax'>;

/**
 * Sort records as a first poll would.
 *
 * @param shardCount of the stream; undefined on demand.
 * @param sourceMs the source's clock when it was asked.
 */
export function previewRecords(
  records: readonly JsonValue[],
  options: PreviewRules,
  { shardCount, sourceMs }: { readonly shardCount: number | undefined; readonly sourceMs: number },
): readonly PreviewRow[] {
  const ring = shardCount === undefined ? undefined : hashRing(uniformShards(shardCount));
  const memory = sightMemory();
  const texts = textEncoding();
  const context = { options, ring, memory, texts, sourceMs };
  return records.map((record, at) => previewOne(record, at, context));
}

interface PreviewContext {
  readonly options: PreviewRules;
  readonly ring: HashRing | undefined;
  readonly memory: SightMemory;
  readonly texts: TextEncoding;
  readonly sourceMs: number;
}

function previewOne(
  record: JsonValue,
  at: number,
  { options: { rules, recordBytesMax }, ring, memory, texts, sourceMs }: PreviewContext,
): PreviewRow {
  const observation = { epoch: 1, counter: at + 1, sourceMs, digest: contentDigest };
  const outcome = toEvent(record, rules, observation);
  if (outcome.kind !== 'event') return outcome;
  const { key, digest, partitionKey } = outcome;
  const data = encodeEvent(outcome, texts);
  const bytes = data.byteLength + utf8Bytes(partitionKey);
  const refusal = refuseOversized(bytes, recordBytesMax);
  if (refusal !== undefined) return refusal;
  if (memory.note(keyBits(key), digest)) return { kind: 'repeated' };
  const read = decodeEvent(data, strictText);
  if (read.kind === 'refused') return read;
  const { event } = read;
  return {
    kind: 'published',
    change: isDelete(event) ? 'delete' : 'upsert',
    key,
    partitionKey,
    shard:
      ring === undefined ? null : ring.shardIds.indexOf(ring.shardOf(md5HashKey(partitionKey))),
    version: event.id.slice(key.length + 1, -(digest.length + 1)),
    bytes,
    event,
  };
}
