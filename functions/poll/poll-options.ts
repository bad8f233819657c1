/** A pipeline's settings in the terms of the poll use case. */
import type { BodyRules } from '#adapters/http/page-source';
import type { DeletesSettings } from '#config/deletes-settings';
import type {
  MapRecord,
  PipelineSettings,
  RecordSettings,
  RecordsSettings,
  SourceSettings,
} from '#config/pipeline-settings';
import { behindMinutesMax } from '#config/behind-age';
import { byToken } from '#config/by-token';
import type { PollSettings } from '#config/poll-settings';
import { removesOrphans } from '#config/keeps-ledger';
import { rateApi } from '#config/rate-budgets';
import { keyPaths } from '#config/record-key';
import { parsePath } from '#core/record/path';
import type { Path } from '#core/record/path';
import type { VersionFormat } from '#core/record/version';
import { LEDGER_ROWS_MAX } from '#core/source/ledger-bounds';
import type { SourceQuery } from '#core/source/page-query';
import type { RecordsPlace } from '#core/source/page-records';
import type { Environment } from '#functions/required-variable';
import type { BehindOptions } from '#pipeline/backpressure';
import type { RateRule } from '#pipeline/rate-gate';
import type { FeedOptions, PollOptions } from '#pipeline/poll-options';
import { resolveSetting } from './environment.ts';
import { timeFormats } from './time-formats.ts';
import { toIncremental, toKindRule } from './to-incremental.ts';
import { toPagination } from './to-pagination.ts';

/** How long the stream may take to answer one request: ten mebibytes on a slow day. */
export const PUT_TIMEOUT_MS = 5_000;

/** A ledger of many keys is not written anew for each page. */
const LEDGER_PARTS_MAX = 16;

const MS_PER_MINUTE = 60_000;
const MS_PER_HOUR = 3_600_000;

/** A page seldom fills more. */
export const REQUESTS_IN_FLIGHT = 4;

type FormatOf = ReturnType<typeof timeFormats>;

/** @throws {Error} when the environment lacks a setting that has no default. */
export function toPollOptions(
  { name: pipeline, source, record, stream, schedule, poll, consumers }: PipelineSettings,
  map: MapRecord | undefined,
  env: Environment,
): PollOptions {
  const { version, eventTime } = record;
  const formatOf = timeFormats(source.timeZone);
  const key = keyPaths(record.key).map(parsePath);
  const lanes = keyPaths(record.partitionBy).map(parsePath);
  const isByKey = JSON.stringify(lanes) === JSON.stringify(key);
  const sourceTimeoutMs = source.timeoutSec * 1_000;
  return {
    pipeline,
    // A map may name another thing the key.
    source: toSourceQuery(source, {
      env,
      formatOf,
      key: map === undefined ? record.key : undefined,
      asks: JSON.stringify([resolveSetting(source.url, env), source.request]),
    }),
    records: toRecordsPlace(source.records),
    rules: {
      pipeline,
      key,
      version: 'observed' in version ? 'observed' : toVersion(version, formatOf),
      eventTime:
        'observed' in eventTime
          ? 'observed'
          : { path: parsePath(eventTime.field), format: formatOf(eventTime.format) },
      partitionBy: isByKey ? key : lanes,
      deleted: source.deleted && parsePath(source.deleted.field),
      map,
    },
    snapshot: toSnapshotOptions(source),
    orphans: toOrphanOptions(source),
    deletes: source.deletes && toFeedOptions(source.deletes, { pipeline, record, env, formatOf }),
    recordBytesMax: stream.recordBytesMax,
    requestsInFlight: REQUESTS_IN_FLIGHT,
    sourceTimeoutMs,
    putTimeoutMs: PUT_TIMEOUT_MS,
    // One page and what follows it, and no longer: a poller that died is soon replaced.
    everyMs: 'everyMinutes' in schedule ? schedule.everyMinutes * 60_000 : undefined,
    leaseMs: sourceTimeoutMs + 2 * PUT_TIMEOUT_MS,
    behind: toBehind(poll, consumers),
  };
}

function toBehind(
  poll: PollSettings,
  consumers: PipelineSettings['consumers'],
): PollOptions['behind'] {
  const { reaction } = poll.behind;
  const minutes = behindMinutesMax(poll, consumers);
  if (reaction === 'ignore' || minutes === undefined) return undefined;
  return {
    ageMsMax: minutes * MS_PER_MINUTE,
    reaction,
    consumers: patientConsumers(consumers),
  };
}

/** Who is waited for, and for how long. */
export function patientConsumers(
  consumers: PipelineSettings['consumers'],
): BehindOptions['consumers'] {
  return consumers.map(({ name, recordAgeMaxHours }) => ({
    name,
    recordAgeMsMax: recordAgeMaxHours * MS_PER_HOUR,
  }));
}

function toVersion(
  { field, format }: NonNullable<DeletesSettings['version']>,
  formatOf: FormatOf,
): { readonly path: Path; readonly format: VersionFormat } {
  const isZoned = format !== 'integer' && format !== 'revision';
  return { path: parsePath(field), format: isZoned ? formatOf(format) : format };
}

interface FeedWorld {
  readonly pipeline: string;
  readonly record: RecordSettings;
  readonly env: Environment;
  readonly formatOf: FormatOf;
}

/** What a feed says is deleted is deleted by having a key there. */
function toFeedOptions(
  deletes: DeletesSettings,
  { pipeline, record, env, formatOf }: FeedWorld,
): FeedOptions {
  const { version, eventTime } = deletes;
  const key = keyPaths(deletes.key ?? record.key).map(parsePath);
  return {
    source: toSourceQuery(deletes, {
      env,
      formatOf,
      key: deletes.key ?? record.key,
      asks: deletes.path,
    }),
    records: toRecordsPlace(deletes.records),
    rules: {
      pipeline,
      key,
      version: version ? toVersion(version, formatOf) : 'observed',
      eventTime: eventTime
        ? { path: parsePath(eventTime.field), format: formatOf(eventTime.format) }
        : 'observed',
      partitionBy: deletes.partitionBy === undefined ? key : [parsePath(deletes.partitionBy)],
      deleted: key[0],
      map: undefined,
    },
  };
}

/** @returns undefined where a source is asked only for what changed. */
function toSnapshotOptions({
  incremental,
  pagination,
  orphans,
}: SourceSettings): PollOptions['snapshot'] {
  if (incremental.kind !== 'snapshot') return undefined;
  const { conditional = pagination.kind === 'none' } = incremental;
  return { conditional, shareMax: orphans === false ? undefined : orphans.shareMax };
}

function toOrphanOptions(source: SourceSettings): PollOptions['orphans'] {
  const orphans = removesOrphans(source);
  return orphans && { ...orphans, keysMax: LEDGER_ROWS_MAX, partsMax: LEDGER_PARTS_MAX };
}

/** Of lines, the body is the array of what they hold. */
function toRecordsPlace(records: RecordsSettings): RecordsPlace {
  if (typeof records === 'string') return { path: parsePath(records), keyedBy: undefined };
  if ('lines' in records) return { path: [], keyedBy: undefined };
  const { path, optional } = records;
  const keyedBy = 'keyedBy' in records ? records.keyedBy : undefined;
  return { path: parsePath(path), keyedBy, ...(optional && { isOptional: true }) };
}

/** How often the source may be asked; undefined where the file does not say. */
export function toRateRule(settings: PipelineSettings): RateRule | undefined {
  const { rate } = settings.source;
  const api = rateApi(settings);
  if (rate === undefined || api === undefined) return undefined;
  const intervalMs = (rate.perSec * 1_000) / rate.requests;
  return { pipeline: settings.name, api, rate: { intervalMs, burst: rate.burst } };
}

/** How an answer's body is read. */
export function toBodyRules({
  records,
  errors,
  idleSec,
  incremental,
}: Pick<SourceSettings, 'records' | 'errors' | 'idleSec' | 'incremental'>): BodyRules {
  const { path, keyedBy } = toRecordsPlace(records);
  const waitIf = errors?.waitIf && toKindRule(errors.waitIf);
  const { onlyIf, status = [] } = byToken({ incremental })?.expired ?? {};
  return {
    form: typeof records === 'object' && 'lines' in records ? 'lines' : 'json',
    records: keyedBy === undefined ? path : undefined,
    errors: errors && { path: parsePath(errors.path), waitIf },
    errorKind: onlyIf && { of: status, path: parsePath(onlyIf.path) },
    idleMs: idleSec * 1_000,
  };
}

type AskedSettings = Pick<SourceSettings, 'query' | 'pagination' | 'incremental' | 'pageSize'>;

function toSourceQuery(
  { query, pagination, incremental, pageSize }: AskedSettings,
  {
    env,
    formatOf,
    key,
    asks,
  }: Pick<FeedWorld, 'env' | 'formatOf'> &
    Pick<SourceQuery, 'asks'> & { readonly key: RecordSettings['key'] | undefined },
): SourceQuery {
  const fixed = Object.entries(query).map(([name, value]) => [name, resolveSetting(value, env)]);
  return {
    fixed: Object.fromEntries(fixed) as Record<string, string>,
    pagination: toPagination(pagination, incremental, typeof key === 'string' ? key : undefined),
    pageSize,
    asks,
    ...toIncremental(incremental, formatOf),
  };
}
