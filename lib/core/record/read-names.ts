/** Reads from a record what names it: its key, its version, its time, and what decides its shard. */
import { scalarText } from './exact-json.ts';
import { formatName } from './format-name.ts';
import type { JsonObject } from './json.ts';
import { KEY_BYTES_MAX, keyText } from './key-text.ts';
import { toPartitionKey, PARTITION_KEY_CHARACTERS_MAX } from './partition-key.ts';
import { describeValue, readPath } from './path.ts';
import type { Path } from './path.ts';
import type { PartitionKey } from './records.ts';
import { refusal } from './refusal.ts';
import type { Refusal, RefusalReason } from './refusal.ts';
import { parseTimestamp, timestampOfMs } from './timestamp.ts';
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

export type Names =
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
export interface Seen {
  readonly isGone: boolean;
  /** When it was seen, sortable. */
  readonly observed: string;
  readonly sourceMs: number;
}

export function readNames(data: JsonObject, rules: RecordRules, seen: Seen): Names {
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
    return refusal('key-too-long', `${named} is not ${limit}`);
  }
  const { version, sortable } = versions;
  return { kind: 'named', key, version, sortable, time, partitionKey };
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
    if (!part.isWellFormed()) return refusal('no-key', 'the key is not well-formed Unicode');
    const bytesMax = KEY_BYTES_MAX[at] ?? 0;
    if (utf8Bytes(part) > bytesMax) {
      return refusal('key-too-long', `\`${path.join('.')}\` is longer than ${bytesMax} bytes`);
    }
    parts.push(part);
  }
  return parts;
}

function missing(reason: RefusalReason, data: JsonObject, path: Path, what: string): Refusal {
  const found = describeValue(readPath(data, path));
  return refusal(reason, `\`${path.join('.')}\` holds ${found} where ${what} was expected`);
}
