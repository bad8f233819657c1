/** One version of a record as the item that the table holds. */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { isDelete } from '#core/record/decode-event';
import { numberText } from '#core/record/exact-json';
import type { JsonValue } from '#core/record/json';
import type { Refusal, RefusalReason } from '#core/record/refusal';
import type { StreamEvent } from '#core/record/stream-event';
import { utf8Bytes } from '#core/utf8';
import { toAttributes } from './attribute-value.ts';
import type { ItemOutcome } from './attribute-value.ts';
import { ITEM_BYTES_MAX, itemBytes } from './item-size.ts';

/** The attributes that are ours; a record may not use their names. */
export const OURS = {
  version: '_version',
  observed: '_observed',
  eventId: '_event_id',
  updated: '_updated',
  deleted: '_deleted',
  expires: '_expires',
} as const;

/** Kept free for what a later item may hold. */
const RESERVED: readonly string[] = [...Object.values(OURS), '_first_seen'];

/** @source DynamoDB, constraints: a partition key of 2,048 bytes, an item of 32 levels (2026-10). */
const KEY_BYTES_MAX = 2_048;

export interface ItemRules {
  /** The partition key's attribute. */
  readonly keyName: string;
  readonly tombstoneDays: number;
}

const DAY_SEC = 86_400;

/**
 * Lay out an item: the record's members on top, ours beside them; a tombstone keeps only ours.
 *
 * @param nowMs when it is written: the start of a tombstone's time.
 */
export function tableItem(event: StreamEvent, rules: ItemRules, nowMs: number): ItemOutcome {
  if (utf8Bytes(event.subject) > KEY_BYTES_MAX) {
    return refuse('key-too-long', `the key is longer than ${KEY_BYTES_MAX} bytes`);
  }
  const members = isDelete(event) ? toAttributes({}) : recordAttributes(event, rules.keyName);
  if (members.kind === 'refused') return members;
  const attributes: Record<string, AttributeValue> = {
    ...members.attributes,
    [rules.keyName]: { S: event.subject },
    [OURS.version]: { S: event.version },
    [OURS.observed]: { S: event.observed },
    [OURS.eventId]: { S: event.id },
    [OURS.updated]: { S: new Date(nowMs).toISOString() },
    ...(isDelete(event) && tombstone(rules.tombstoneDays, nowMs)),
  };
  const bytes = itemBytes(attributes);
  return bytes > ITEM_BYTES_MAX
    ? refuse('item-too-large', `the item is ${bytes} bytes; a table takes ${ITEM_BYTES_MAX}`)
    : { kind: 'attributes', attributes };
}

function recordAttributes({ subject, data }: StreamEvent, keyName: string): ItemOutcome {
  const taken = Object.keys(data).find((name) => name === '' || RESERVED.includes(name));
  if (taken !== undefined) {
    const detail = `an item cannot hold a member named \`${taken}\`; rename it in the pipeline's map`;
    return refuse('field-name-not-allowed', detail);
  }
  // A key that lies deeper may share its name with another member on top.
  if (Object.hasOwn(data, keyName) && !namesKey(data[keyName], subject)) {
    const detail = `\`${keyName}\` is the table's key, and the record's member of that name differs`;
    return refuse('field-name-not-allowed', detail);
  }
  return toAttributes(data);
}

function namesKey(value: JsonValue | undefined, subject: string): boolean {
  return value === undefined || value === subject || numberText(value) === subject;
}

/** `_expires` is DynamoDB's TTL: epoch seconds, an integer. */
function tombstone(days: number, nowMs: number): Record<string, AttributeValue> {
  const expiresSec = Math.floor(nowMs / 1_000) + days * DAY_SEC;
  return { [OURS.deleted]: { BOOL: true }, [OURS.expires]: { N: String(expiresSec) } };
}

function refuse(reason: RefusalReason, detail: string): Refusal {
  return { kind: 'refused', reason, detail };
}
