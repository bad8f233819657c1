/** Turns a source's record into the event that goes into the stream, or says why it cannot. */
import { observedText } from './observed-text.ts';
import { scalarText } from './exact-json.ts';
import type { JsonObject, JsonValue } from './json.ts';
import { KEY_BYTES_MAX, keyText } from './key-text.ts';
import { toPartitionKey, PARTITION_KEY_CHARACTERS_MAX } from './partition-key.ts';
import { describeValue, isJsonObject, readPath } from './path.ts';
import type { Path } from './path.ts';
import type { PartitionKey } from './records.ts';
import type { Refusal, RefusalReason } from './refusal.ts';
import { formatName } from './format-name.ts';
import { isoText, parseTimestamp, timestampOfMs } from './timestamp.ts';
import type { TimeFormat, Timestamp } from './timestamp.ts';
import { sortableVersion } from './version.ts';
import type { VersionFormat } from './version.ts';
import { utf8Bytes } from '#core/utf8';

/** What of a record means what. Places of `deleted` are in the source's record, the others in the mapped one. */
export interface RecordRules {
  readonly pipeline: string;
  /** One path, or two: the parts of the key. */
  readonly key: readonly Path[];
  /** `observed`: a record has none, and the newest seen stands. */
  readonly version: { readonly path: Path; readonly format: VersionFormat } | 'observed';
  /** `observed`: a record has none, and is dated by the source's clock when it was asked. */
  readonly eventTime: { readonly path: Path; readonly format: TimeFormat } | 'observed';
  /** The key itself where they are the same. */
  readonly partitionBy: readonly Path[];
  readonly deleted: Path | undefined;
  /** The pipeline's own shaping; `null` leaves a record out. */
  readonly map: ((record: JsonObject) => JsonObject | null) | undefined;
}

/** What the poller adds to a record. */
export interface Observation {
  readonly epoch: number;
  readonly counter: number;
  /** The source's clock when it was asked: a delete that names no time is dated so. */
  readonly sourceMs: number;
  /** Of a backfill: it gives way to every live version. */
  readonly passage?: 'backfill' | undefined;
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
    return refuse('not-an-object', `the record is ${describeValue(record)}, not an object`);
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
      ? refuse('nested-too-deep', 'the record nests too deep to be written as JSON')
      : refuse('map-failed', "the pipeline's map made no JSON");
  }

  const mark = isGone ? 'delete ' : '';
  const digest = typeof written === 'string' ? digestOf(mark + written) : digestOf(mark, written);
  // Nothing else tells two deletes of one key apart.
  const last = version === '' ? digestOf(`${digest} ${observed}`) : digest;
  const subject = JSON.stringify(key);
  const { pipeline } = rules;
  // What follows the subject needs no escape.
  const head =
    `{"specversion":"1.0","id":${subject.slice(0, -1)}@${version}#${last}","source":"penstock/${pipeline}",` +
    `"type":"${pipeline}.${change}","subject":${subject},"time":"${isoText(time)}",` +
    `"datacontenttype":"application/json","version":"${sortable}",` +
    `"observed":"${observed}","data":`;
  return { kind: 'event', key, digest, partitionKey, head, data: written };
}

type Names =
  | {
      readonly kind: 'named';
      readonly key: string;
      /** As the source wrote it, and in the form that sorts; both empty where a delete has none. */
      readonly version: string;
      readonly sortable: string;
      readonly time: Timestamp;
      readonly partitionKey: PartitionKey;
    }
  | Refusal;

/** Of a record, what is not in it. */
interface Seen {
  readonly isGone: boolean;
  /** When it was seen, sortable. */
  readonly observed: string;
  readonly sourceMs: number;
}

function readNames(data: JsonObject, rules: RecordRules, seen: Seen): Names {
  const parts = readKey(data, rules.key);
  if ('kind' in parts) return parts;
  const versions = readVersion(data, rules.version, seen);
  if ('kind' in versions) return versions;
  const time = readTime(data, rules.eventTime, seen);
  if (typeof time === 'object') return time;
  const key = keyText(parts);
  const lane = rules.partitionBy === rules.key ? key : readLane(data, rules.partitionBy);
  if (typeof lane !== 'string') return lane;
  const partitionKey = toPartitionKey(lane);
  if (partitionKey === undefined) {
    const limit = `1 to ${PARTITION_KEY_CHARACTERS_MAX} characters of well-formed Unicode`;
    const named = rules.partitionBy.map((path) => `\`${path.join('.')}\``).join(' with ');
    return refuse('key-too-long', `${named} is not ${limit}`);
  }
  return { kind: 'named', key, ...versions, time, partitionKey };
}

function readLane(data: JsonObject, paths: readonly Path[]): string | Refusal {
  const lanes: string[] = [];
  for (const path of paths) {
    const lane = scalarText(readPath(data, path));
    if (lane === undefined) return missing('no-partition-key', data, path, 'a partition key');
    lanes.push(lane);
  }
  return keyText(lanes);
}

function readVersion(
  data: JsonObject,
  rule: RecordRules['version'],
  { isGone, observed }: Seen,
): { readonly version: string; readonly sortable: string } | Refusal {
  if (rule === 'observed') {
    const version = isGone ? '' : observed;
    return { version, sortable: version };
  }
  const { path, format } = rule;
  const version = scalarText(readPath(data, path)) ?? absentIf(isGone, data, path);
  const sortable = version ? sortableVersion(version, format) : version;
  return version === undefined || sortable === undefined
    ? missing('no-version', data, path, `a version (${formatName(format)})`)
    : { version, sortable };
}

function readTime(
  data: JsonObject,
  rule: RecordRules['eventTime'],
  { isGone, sourceMs }: Seen,
): Timestamp | Refusal {
  if (rule === 'observed') return timestampOfMs(sourceMs);
  const { path, format } = rule;
  const text = scalarText(readPath(data, path)) ?? absentIf(isGone, data, path);
  if (text === '') return timestampOfMs(sourceMs);
  const time = text === undefined ? undefined : parseTimestamp(text, format);
  return time ?? missing('no-event-time', data, path, `an event time (${formatName(format)})`);
}

/** A delete often says no more than whose it is. Something that cannot be read is not nothing. */
function absentIf(isGone: boolean, data: JsonObject, path: Path): '' | undefined {
  const found = readPath(data, path);
  return isGone && (found === undefined || found === null || found === '') ? '' : undefined;
}

/** The parts of the key, each text that a table takes in its place. */
function readKey(data: JsonObject, paths: readonly Path[]): readonly string[] | Refusal {
  const parts: string[] = [];
  for (let at = 0; at < paths.length; at++) {
    const path = paths[at] as Path;
    const part = scalarText(readPath(data, path));
    if (part === undefined) return missing('no-key', data, path, 'a key');
    if (!part.isWellFormed()) return refuse('no-key', 'the key is not well-formed Unicode');
    const bytesMax = KEY_BYTES_MAX[at] ?? 0;
    if (utf8Bytes(part) > bytesMax) {
      return refuse('key-too-long', `\`${path.join('.')}\` is longer than ${bytesMax} bytes`);
    }
    parts.push(part);
  }
  return parts;
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
    return refuse('map-failed', `the pipeline's map threw ${name}`);
  }
  if (data === null) return { kind: 'filtered' };
  if (isJsonObject(data)) return { kind: 'mapped', data };
  return refuse('map-failed', `the pipeline's map returned ${describeValue(data)}, not an object`);
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

function missing(reason: RefusalReason, data: JsonObject, path: Path, what: string): Refusal {
  const found = describeValue(readPath(data, path));
  return refuse(reason, `\`${path.join('.')}\` holds ${found} where ${what} was expected`);
}

function refuse(reason: RefusalReason, detail: string): Refusal {
  return { kind: 'refused', reason, detail };
}
