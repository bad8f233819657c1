/** What a key of the quarantine bucket says of its object. */
import { sha256Digest } from '#adapters/system/digest';
import type { SequenceNumber } from '#core/record/records';

export type QuarantineKey =
  | {
      readonly kind: 'record';
      readonly stage: string;
      readonly reason: string;
      /** `2026-11-29`, of its arrival. */
      readonly day: string;
      /** Of a consumer's record. */
      readonly position?: { readonly shardId: string; readonly sequenceNumber: SequenceNumber };
    }
  /** Records that an event source mapping gave up on, in one document. */
  | { readonly kind: 'document'; readonly shardId: string; readonly day: string }
  /** It was sent again, and ended; or it is an original beside what was edited. */
  | { readonly kind: 'redriven' | 'original' }
  | { readonly kind: 'unknown' };

/** Prefix of what was sent again. */
export const REDRIVEN = 'redriven/';
/** Prefix of the event source mappings' documents. */
export const DOCUMENTS = 'aws/lambda/';
/** Prefix of what stood where something edited was sent. */
export const ORIGINALS = 'originals/';

const RECORD =
  /^(?<stage>[^/]+)\/(?<reason>[^/]+)\/(?<day>\d{4}\/\d\d\/\d\d)\/(?<file>[^/]+)\.json$/;
const POSITION = /^(?<shardId>shardId-\d+)-(?<sequenceNumber>0|[1-9]\d{0,128})$/;
/** @source Lambda Developer Guide, "Retain discarded batch records for a Kinesis data stream …". */
const DOCUMENT = /^aws\/lambda\/[^/]+\/(?<shardId>shardId-\d+)\/(?<day>\d{4}\/\d\d\/\d\d)\/[^/]+$/;

export function readQuarantineKey(key: string): QuarantineKey {
  if (key.startsWith(REDRIVEN)) return { kind: 'redriven' };
  if (key.startsWith(ORIGINALS)) return { kind: 'original' };
  if (key.startsWith(DOCUMENTS)) {
    const { shardId, day } = DOCUMENT.exec(key)?.groups ?? {};
    if (shardId === undefined || day === undefined) return { kind: 'unknown' };
    return { kind: 'document', shardId, day: day.replaceAll('/', '-') };
  }
  const { stage, reason, day, file = '' } = RECORD.exec(key)?.groups ?? {};
  if (stage === undefined || reason === undefined || day === undefined) return { kind: 'unknown' };
  const { shardId, sequenceNumber } = POSITION.exec(file)?.groups ?? {};
  const known = { kind: 'record', stage, reason, day: day.replaceAll('/', '-') } as const;
  if (shardId === undefined) return known;
  return { ...known, position: { shardId, sequenceNumber: sequenceNumber as SequenceNumber } };
}

const ID_DIGITS = 10;

/**
 * Name an object shortly. The name stays when its record is sent again and moves.
 *
 * @example quarantineId('orders/not-json/2026/11/29/shardId-000000000000-4951.json') // '6dbb…': 10 hex digits
 */
export function quarantineId(key: string): string {
  const stood = key.startsWith(REDRIVEN) ? key.slice(REDRIVEN.length) : key;
  return sha256Digest(stood).slice(0, ID_DIGITS);
}
