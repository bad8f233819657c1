/** Turns a source's record into the event that goes into the stream, or says why it cannot. */
import { observedText } from './observed-text.ts';
import type { JsonObject, JsonValue } from './json.ts';
import { describeValue, isJsonObject, readPath } from './path.ts';
import type { Path } from './path.ts';
import { readNames } from './read-names.ts';
import type { RecordRules } from './read-names.ts';
import type { PartitionKey } from './records.ts';
import { refusal } from './refusal.ts';
import type { Refusal } from './refusal.ts';
import { isoText } from './timestamp.ts';
import type { Timestamp } from './timestamp.ts';

export type { RecordRules } from './read-names.ts';

/** What the poller adds to a record. */
export interface Observation {
  readonly epoch: number;
  readonly counter: number;
  /** The source's clock when it was asked: a delete that names no time is dated so. */
  readonly sourceMs: number;
  /** Of a backfill, which gives way to every live version: when the record changed. */
  readonly changedAt?: Timestamp | undefined;
  /** The port `Digest`: pure, but made of what core cannot name. */
  readonly digest: (text: string, bytes?: Uint8Array) => string;
  /** The record as its source wrote it, in UTF-8 and without white space; undefined where that is not known. */
  readonly bytes?: Uint8Array | undefined;
}

export type EventOutcome =
  | {
      readonly kind: 'event';
      readonly key: string;
      /** Of the kind of change and the data: with a version, the last part of the event's id. */
      readonly digest: string;
      readonly partitionKey: PartitionKey;
      /** A delete. */
      readonly isGone: boolean;
      /**
       * A `StreamEvent` as `JSON.stringify` writes it, up to its data, for less: only a record's own
       * texts may hold what must be escaped.
       */
      readonly head: string;
      /** The data as JSON. A closing brace ends the event. */
      readonly data: string | Uint8Array;
    }
  | { readonly kind: 'filtered' }
  | Refusal;

/** Map, name and number one record. Never throws for what a record holds. */
export function toEvent(
  record: JsonValue,
  rules: RecordRules,
  observation: Observation,
): EventOutcome {
  if (!isJsonObject(record)) {
    return refusal('not-an-object', `the record is ${describeValue(record)}, not an object`);
  }
  // Asked first: a map may change the record it is given.
  const change = isDeleted(record, rules.deleted) ? 'delete' : 'upsert';
  const mapped = applyMap(record, rules.map);
  if (mapped.kind !== 'mapped') return mapped;
  const { data } = mapped;
  const observed = observedText(observation);
  const isGone = change === 'delete';
  const names = readNames(data, rules, { isGone, observed, sourceMs: observation.sourceMs });
  if (names.kind === 'refused') return names;
  const { key, version, sortable, time, partitionKey } = names;
  const { bytes, digest: digestOf } = observation;
  const written = rules.map === undefined && bytes !== undefined ? bytes : dataTextOf(data);
  if (written === undefined) {
    return rules.map === undefined
      ? refusal('nested-too-deep', 'the record nests too deep to be written as JSON')
      : refusal('map-failed', "the pipeline's map made no JSON");
  }

  const mark = isGone ? 'delete ' : '';
  const digest = typeof written === 'string' ? digestOf(mark + written) : digestOf(mark, written);
  // Nothing else tells two deletes of one key apart.
  const last = version === '' ? digestOf(`${digest} ${observed}`) : digest;
  const subject = escaped(key);
  const { pipeline } = rules;
  // What follows the subject needs no escape.
  const head =
    `{"specversion":"1.0","id":"${subject}@${version}#${last}","source":"penstock/${pipeline}",` +
    `"type":"${pipeline}.${change}","subject":"${subject}","time":"${isoText(time)}",` +
    `"datacontenttype":"application/json","version":"${sortable}",` +
    `"observed":"${observed}","data":`;
  return { kind: 'event', key, digest, partitionKey, isGone, head, data: written };
}

type MapOutcome =
  | { readonly kind: 'mapped'; readonly data: JsonObject }
  | { readonly kind: 'filtered' }
  | Refusal;

function applyMap(record: JsonObject, map: RecordRules['map']): MapOutcome {
  if (map === undefined) return { kind: 'mapped', data: record };
  let data: JsonObject | null;
  try {
    data = map(record);
  } catch (error) {
    // Its message may quote the record; the kind of error cannot.
    const name = error instanceof Error ? error.name : typeof error;
    return refusal('map-failed', `the pipeline's map threw ${name}`);
  }
  if (data === null) return { kind: 'filtered' };
  if (isPromise(data)) {
    // Nobody waits for it: it must not fail unheard either.
    data.then(undefined, () => undefined);
    return refusal('map-failed', "the pipeline's map returned a promise: it must answer at once");
  }
  if (isJsonObject(data)) return { kind: 'mapped', data };
  return refusal('map-failed', `the pipeline's map returned ${describeValue(data)}, not an object`);
}

function isPromise(data: unknown): data is PromiseLike<unknown> {
  return (
    typeof data === 'object' && data !== null && 'then' in data && typeof data.then === 'function'
  );
}

/** What a map returns may hold what JSON cannot (a bigint, a circle). */
function dataTextOf(data: JsonObject): string | undefined {
  try {
    return JSON.stringify(data);
  } catch {
    return undefined;
  }
}

/** `null`, `false` and absence all say that a record lives. */
function isDeleted(record: JsonObject, path: Path | undefined): boolean {
  if (path === undefined) return false;
  const mark = readPath(record, path);
  return mark !== undefined && mark !== null && mark !== false;
}

/** Printable ASCII without what JSON escapes. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** A text as it stands between the quotes of JSON. Most keys stay as they are, and a look costs less than writing them. */
function escaped(text: string): string {
  return PLAIN.test(text) ? text : JSON.stringify(text).slice(1, -1);
}
