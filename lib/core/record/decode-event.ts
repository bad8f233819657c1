/** Bytes of a stream record back into the event they carry, or the reason why they carry none. */
import { parseExact } from './exact-json.ts';
import type { JsonObject, JsonValue } from './json.ts';
import { describeValue, isJsonObject } from './path.ts';
import type { Refusal, RefusalReason } from './refusal.ts';
import type { StreamEvent } from './stream-event.ts';

export type DecodeOutcome = { readonly kind: 'event'; readonly event: StreamEvent } | Refusal;

/**
 * Read one stream record. Never throws for what the bytes hold.
 *
 * @param decodeText the platform's strict UTF-8 decoder; throws where the bytes are no UTF-8.
 */
export function decodeEvent(
  data: Uint8Array,
  decodeText: (bytes: Uint8Array) => string,
): DecodeOutcome {
  let value: JsonValue;
  try {
    value = parseExact(decodeText(data));
  } catch (error) {
    if (error instanceof RangeError) {
      return refuse('nested-too-deep', 'the record nests too deep to be read');
    }
    // A parser's message quotes the record; the record itself goes to quarantine instead.
    return refuse('not-json', `${data.byteLength} bytes that are not JSON in UTF-8`);
  }
  if (!isJsonObject(value)) {
    return refuse('not-an-object', `the record is ${describeValue(value)}, not an object`);
  }
  if (value['subject'] === '') return refuse('no-key', '`subject` is empty');
  const wrong = firstWrongAttribute(value);
  return wrong === undefined
    ? { kind: 'event', event: value as unknown as StreamEvent }
    : refuse('not-an-event', `\`${wrong}\` holds ${describeValue(value[wrong])}`);
}

/** A delete leaves a tombstone; everything else is the newest state of its key. */
export function isDelete(event: StreamEvent): boolean {
  return event.type.endsWith('.delete');
}

const TEXT_ATTRIBUTES = ['id', 'source', 'type', 'subject', 'time', 'observed'] as const;

function firstWrongAttribute(value: JsonObject): string | undefined {
  if (value['specversion'] !== '1.0') return 'specversion';
  const notText = TEXT_ATTRIBUTES.find((name) => !isFilledText(value[name]));
  if (notText !== undefined) return notText;
  if (!/\.(upsert|delete)$/.test(String(value['type']))) return 'type';
  const mayBeEmpty = String(value['type']).endsWith('.delete');
  const { version } = value;
  if (!isFilledText(version) && !(mayBeEmpty && version === '')) return 'version';
  return isJsonObject(value['data']) ? undefined : 'data';
}

function isFilledText(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && value !== '';
}

function refuse(reason: RefusalReason, detail: string): Refusal {
  return { kind: 'refused', reason, detail };
}
