/** One version of a record as the item that the table holds. */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { isDelete } from '#core/record/decode-event';
import { numberText } from '#core/record/exact-json';
import { isClearing } from '#core/record/fold';
import type { Standing, Versioned } from '#core/record/fold';
import type { JsonValue } from '#core/record/json';
import { KEY_BYTES_MAX, keyParts } from '#core/record/key-text';
import type { Refusal, RefusalReason } from '#core/record/refusal';
import { renameMembers } from '#core/record/rename-members';
import type { MemberNames } from '#core/record/rename-members';
import type { StreamEvent } from '#core/record/stream-event';
import { utf8Bytes } from '#core/utf8';
import { toAttributes } from './attribute-value.ts';
import { ITEM_BYTES_MAX, itemBytes } from './item-size.ts';
import { shapeOf } from './item-shape.ts';
import type { Shape, TableMode } from './item-shape.ts';

/** The attributes that are ours; a record may not use their names. */
export const OURS = {
  version: '_version',
  observed: '_observed',
  cleared: '_cleared',
  eventId: '_event_id',
  shape: '_shape',
  firstSeen: '_first_seen',
  updated: '_updated',
  deleted: '_deleted',
  expires: '_expires',
} as const;

const OUR_NAMES: readonly string[] = Object.values(OURS);

export interface ItemRules {
  /** The attributes of the table's key: the partition key's, and the sort key's if it has one. */
  readonly keyNames: readonly string[];
  readonly attributes: MemberNames;
  readonly mode: TableMode;
  readonly tombstoneDays: number;
}

export type Attributes = Readonly<Record<string, AttributeValue>>;

export interface TableItem {
  readonly kind: 'item';
  readonly key: Attributes;
  /** The record's, less its key. */
  readonly members: Attributes;
  /** Less when the key was first seen. */
  readonly ours: Attributes;
  /** When it is written; and first seen, if the key is new. */
  readonly now: AttributeValue;
  readonly version: Versioned;
  readonly shape: Shape;
}

const DAY_SEC = 86_400;

/**
 * Lay out an item: the record's members on top, ours beside them; a tombstone keeps only ours.
 *
 * @param nowMs when it is written: the start of a tombstone's time.
 */
export function tableItem(
  event: StreamEvent,
  rules: ItemRules,
  nowMs: number,
): TableItem | Refusal {
  const key = keyAttributes(event.subject, rules.keyNames);
  if (key.kind === 'refused') return key;
  const outcome = isDelete(event) ? toAttributes({}) : membersOf(event, key.attributes, rules);
  if (outcome.kind === 'refused') return outcome;
  const members = withoutNames(outcome.attributes, rules.keyNames);
  const shape = shapeOf(Object.keys(members), rules.mode);
  const now = { S: new Date(nowMs).toISOString() };
  const ours: Attributes = {
    [OURS.version]: { S: event.version },
    [OURS.observed]: { S: event.observed },
    ...(isClearing(event) && { [OURS.cleared]: { S: event.observed } }),
    [OURS.eventId]: { S: event.id },
    [OURS.shape]: { S: shape.text },
    [OURS.updated]: now,
    ...(isDelete(event) && tombstone(rules.tombstoneDays, nowMs)),
  };
  const bytes = itemBytes({ ...members, ...key.attributes, ...ours, [OURS.firstSeen]: now });
  return bytes > ITEM_BYTES_MAX
    ? refuse('item-too-large', `the item is ${bytes} bytes; a table takes ${ITEM_BYTES_MAX}`)
    : { kind: 'item', key: key.attributes, members, ours, now, version: event, shape };
}

/** What an item stands by; undefined where no version of ours is in it. */
export function standingIn(item: Attributes): Standing | undefined {
  const { [OURS.version]: version, [OURS.observed]: observed, [OURS.cleared]: cleared } = item;
  if (version === undefined) return undefined;
  return { version: version.S ?? '', observed: observed?.S ?? '', cleared: cleared?.S };
}

/** What of an item is neither its key nor ours. */
export function strangeTo(item: Attributes, keyNames: readonly string[]): Attributes {
  return withoutNames(item, [...keyNames, ...OUR_NAMES]);
}

type KeyOutcome = { readonly kind: 'key'; readonly attributes: Attributes } | Refusal;

function keyAttributes(subject: string, keyNames: readonly string[]): KeyOutcome {
  const parts = keyParts(subject, keyNames.length);
  if (parts === undefined) {
    return refuse('no-key', `\`subject\` does not hold both ${keyNames.join(' and ')}`);
  }
  for (const [at, part] of parts.entries()) {
    const bytesMax = KEY_BYTES_MAX[at] ?? 0;
    if (utf8Bytes(part) > bytesMax) {
      return refuse('key-too-long', `\`${keyNames[at]}\` is longer than ${bytesMax} bytes`);
    }
  }
  const named = parts.map((part, at) => [keyNames[at] ?? '', { S: part }] as const);
  return { kind: 'key', attributes: Object.fromEntries(named) };
}

function membersOf(event: StreamEvent, key: Attributes, { attributes }: ItemRules) {
  const outcome = renameMembers(event.data, attributes);
  if (outcome.kind === 'clash') {
    const detail = `two members would be named \`${outcome.name}\`; see the consumer's attributes`;
    return refuse('field-name-not-allowed', detail);
  }
  const { record } = outcome;
  const taken = Object.keys(record).find((name) => name === '' || OUR_NAMES.includes(name));
  if (taken !== undefined) {
    const detail = `an item cannot hold a member named \`${taken}\`; rename it in the consumer's attributes`;
    return refuse('field-name-not-allowed', detail);
  }
  // A key that lies deeper may share its name with another member on top.
  const other = Object.entries(key).find(
    ([name, { S }]) => Object.hasOwn(record, name) && !namesKey(record[name], S),
  );
  if (other === undefined) return toAttributes(record);
  const detail = `\`${other[0]}\` is the table's key, and the record's member of that name differs`;
  return refuse('field-name-not-allowed', detail);
}

function namesKey(value: JsonValue | undefined, part: string | undefined): boolean {
  return value === part || numberText(value) === part;
}

function withoutNames(attributes: Attributes, names: readonly string[]): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => !names.includes(name)));
}

/** `_expires` is DynamoDB's TTL: epoch seconds, an integer. */
function tombstone(days: number, nowMs: number): Attributes {
  const expiresSec = Math.floor(nowMs / 1_000) + days * DAY_SEC;
  return { [OURS.deleted]: { BOOL: true }, [OURS.expires]: { N: String(expiresSec) } };
}

function refuse(reason: RefusalReason, detail: string): Refusal {
  return { kind: 'refused', reason, detail };
}
