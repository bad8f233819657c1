/** What an event source mapping of a stream is made with, and what is refused of it. */
import { parseFailureTarget } from './failure-target.ts';
import type { FailureTarget } from './failure-target.ts';
import { parseFilterCriteria } from './filter/record-filter.ts';
import type { RecordFilter } from './filter/record-filter.ts';
import { MappingError } from './mapping-error.ts';
import type { MappingFault } from './mapping-error.ts';

export type StartingPosition =
  | { readonly kind: 'trim-horizon' }
  | { readonly kind: 'latest' }
  | { readonly kind: 'at-timestamp'; readonly timestampMs: number };

export interface MappingSettings {
  readonly functionName: string;
  readonly streamArn: string;
  readonly streamName: string;
  readonly isEnabled: boolean;
  readonly batchSize: number;
  readonly batchingWindowSec: number;
  /** Batches of one shard in flight at once; each key stays in one of them. */
  readonly parallelizationFactor: number;
  readonly startingPosition: StartingPosition;
  readonly reportsItemFailures: boolean;
  /** Retries after the first attempt; undefined is for ever. */
  readonly retryAttemptsMax: number | undefined;
  /** Undefined is for ever. */
  readonly recordAgeSecMax: number | undefined;
  readonly bisects: boolean;
  /** Undefined: every record goes to the function. */
  readonly filter: RecordFilter | undefined;
  /** 0: no windows, and no state. */
  readonly tumblingWindowSec: number;
  /** Undefined: what is given up is lost. */
  readonly failureTarget: FailureTarget | undefined;
  /** Its event metrics are published only where they are asked for. */
  readonly countsEvents: boolean;
}

/** @source Lambda API 2015-03-31, CreateEventSourceMapping, for Kinesis. */
export const MAPPING_RANGES = {
  BatchSize: { min: 1, max: 10_000, absent: 100 },
  MaximumBatchingWindowInSeconds: { min: 0, max: 300, absent: 0 },
  ParallelizationFactor: { min: 1, max: 10, absent: 1 },
  MaximumRetryAttempts: { min: -1, max: 10_000, absent: -1 },
  MaximumRecordAgeInSeconds: { min: -1, max: 604_800, absent: -1 },
  TumblingWindowInSeconds: { min: 0, max: 900, absent: 0 },
} as const;
const RECORD_AGE_SEC_MIN = 60;

/** What a mapping of a Kinesis stream takes. Keys and tags do nothing anywhere. */
export const MAPPING_PROPERTIES: ReadonlySet<string> = new Set([
  ...Object.keys(MAPPING_RANGES),
  'FunctionName',
  'EventSourceArn',
  'Enabled',
  'StartingPosition',
  'StartingPositionTimestamp',
  'FunctionResponseTypes',
  'BisectBatchOnFunctionError',
  'DestinationConfig',
  'FilterCriteria',
  'MetricsConfig',
  'KMSKeyArn',
  'Tags',
]);

export type MappingProperties = Readonly<Record<string, unknown>>;
type Report = (message: string, code?: MappingFault['code']) => void;

/**
 * Read the resolved properties of an AWS::Lambda::EventSourceMapping, or of a request to make one.
 *
 * @throws {MappingError} naming every parameter that is not of a Kinesis mapping, or out of AWS's range.
 */
export function parseMapping(properties: MappingProperties, nowMs: number): MappingSettings {
  const faults: MappingFault[] = [];
  const report: Report = (message, code = 'InvalidParameterValueException') => {
    faults.push({ code, message });
  };
  for (const name of Object.keys(properties)) {
    if (!MAPPING_PROPERTIES.has(name))
      report(`${name} is not a parameter of a Kinesis stream's mapping`);
  }
  const { functionName, streamArn, streamName } = readEnds(properties, report);
  const age = readNumber(properties, 'MaximumRecordAgeInSeconds', report);
  if (age >= 0 && age < RECORD_AGE_SEC_MIN) {
    report(`MaximumRecordAgeInSeconds is ${age}, not -1 or ${RECORD_AGE_SEC_MIN} to 604800`);
  }
  const retries = readNumber(properties, 'MaximumRetryAttempts', report);
  const lanes = readNumber(properties, 'ParallelizationFactor', report);
  const tumblingWindowSec = readNumber(properties, 'TumblingWindowInSeconds', report);
  if (tumblingWindowSec > 0 && lanes > 1) {
    report(`ParallelizationFactor is ${lanes}: a shard with a tumbling window has one state, so 1`);
  }
  const filter = parseFilterCriteria(properties['FilterCriteria']);
  if (filter.kind === 'fault') report(filter.message);
  const target = parseFailureTarget(properties['DestinationConfig']);
  if (target.kind === 'fault') report(target.message);
  const settings: MappingSettings = {
    functionName,
    streamArn,
    streamName,
    isEnabled: readFlag(properties, 'Enabled', true, report),
    batchSize: readNumber(properties, 'BatchSize', report),
    batchingWindowSec: readNumber(properties, 'MaximumBatchingWindowInSeconds', report),
    parallelizationFactor: lanes,
    startingPosition: readStart(properties, nowMs, report),
    reportsItemFailures: readResponseTypes(properties, report),
    retryAttemptsMax: retries < 0 ? undefined : retries,
    recordAgeSecMax: age < 0 ? undefined : age,
    bisects: readFlag(properties, 'BisectBatchOnFunctionError', false, report),
    filter: filter.kind === 'filter' ? filter.filter : undefined,
    tumblingWindowSec,
    failureTarget: target.kind === 'target' ? target.target : undefined,
    countsEvents: readMetrics(properties, report),
  };
  if (faults.length > 0) throw new MappingError(faults);
  return settings;
}

function readEnds(properties: MappingProperties, report: Report) {
  const text = (name: string): string => {
    const value = properties[name];
    return typeof value === 'string' ? value : '';
  };
  const streamArn = text('EventSourceArn');
  const stream = /^arn:[^:]+:kinesis:[^:]*:[^:]*:stream\/([\w.-]+)(\/consumer\/.*)?$/.exec(
    streamArn,
  );
  if (stream === null) report(`EventSourceArn ${streamArn} is not a stream`);
  if (stream?.[2] !== undefined) report(`EventSourceArn ${streamArn}: no enhanced fan-out here`);
  const functionName = functionNameIn(text('FunctionName'));
  if (functionName === '')
    report(`FunctionName ${text('FunctionName')} is no function's latest version`);
  return { functionName, streamArn, streamName: stream?.[1] ?? '' };
}

/** The name in a name, a partial ARN or an ARN, with or without $LATEST. */
export function functionNameIn(text: string): string {
  return /^(?:(?:.*:)?function:|\d{12}:)?([\w-]+)(?::\$LATEST)?$/.exec(text)?.[1] ?? '';
}

function readNumber(
  properties: MappingProperties,
  name: keyof typeof MAPPING_RANGES,
  report: Report,
): number {
  const { min, max, absent } = MAPPING_RANGES[name];
  const given = properties[name] ?? absent;
  const value = typeof given === 'string' && given.trim() === '' ? Number.NaN : Number(given);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  report(`${name} is ${JSON.stringify(given)}, not ${min} to ${max}`, 'ValidationException');
  return absent;
}

/** A template's parameter is text even where the property is a boolean. */
function readFlag(
  properties: MappingProperties,
  name: string,
  absent: boolean,
  report: Report,
): boolean {
  const value = properties[name] ?? absent;
  if (value === true || value === 'true') return true;
  if (value !== false && value !== 'false') report(`${name} is ${JSON.stringify(value)}`);
  return false;
}

function readStart(properties: MappingProperties, nowMs: number, report: Report): StartingPosition {
  const { StartingPosition: position, StartingPositionTimestamp: timestamp } = properties;
  const isAtTimestamp = position === 'AT_TIMESTAMP';
  if (!isAtTimestamp && timestamp !== undefined) {
    report('StartingPositionTimestamp is only for AT_TIMESTAMP');
  }
  if (position === 'TRIM_HORIZON') return { kind: 'trim-horizon' };
  if (position === 'LATEST') return { kind: 'latest' };
  const timestampMs = Number(timestamp) * 1000;
  if (!isAtTimestamp) {
    report(
      `StartingPosition ${JSON.stringify(position)} is none of TRIM_HORIZON, LATEST, AT_TIMESTAMP`,
    );
  } else if (!(timestampMs <= nowMs)) {
    report('StartingPositionTimestamp is absent, not in Unix seconds, or in the future');
  }
  return { kind: 'at-timestamp', timestampMs };
}

function readResponseTypes({ FunctionResponseTypes: types }: MappingProperties, report: Report) {
  const text = JSON.stringify(types ?? []);
  if (text === '["ReportBatchItemFailures"]') return true;
  if (text !== '[]') report(`FunctionResponseTypes ${text} is unknown`);
  return false;
}

/** @source Lambda Developer Guide, "Types of metrics for event source mappings": EventCount is for Kinesis. */
function readMetrics({ MetricsConfig: config }: MappingProperties, report: Report): boolean {
  const { Metrics: metrics = [] } = Object(config ?? {}) as { readonly Metrics?: unknown };
  const text = JSON.stringify(metrics);
  if (text === '["EventCount"]') return true;
  if (text !== '[]') report(`MetricsConfig.Metrics ${text} is not ["EventCount"]`);
  return false;
}
