/** What an event source mapping of a stream is made with, and what is refused of it. */

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
  /** The bucket that receives what is given up. */
  readonly failureBucket: string | undefined;
  /** Its event metrics are published only where they are asked for. */
  readonly countsEvents: boolean;
}

/** @source Lambda API 2015-03-31, CreateEventSourceMapping, for Kinesis. */
const RANGES = {
  BatchSize: { min: 1, max: 10_000, absent: 100 },
  MaximumBatchingWindowInSeconds: { min: 0, max: 300, absent: 0 },
  ParallelizationFactor: { min: 1, max: 10, absent: 1 },
  MaximumRetryAttempts: { min: -1, max: 10_000, absent: -1 },
  MaximumRecordAgeInSeconds: { min: -1, max: 604_800, absent: -1 },
} as const;
const RECORD_AGE_SEC_MIN = 60;

/** Properties this mapping does. Tags do nothing anywhere. */
export const MAPPING_PROPERTIES: ReadonlySet<string> = new Set([
  ...Object.keys(RANGES),
  'FunctionName',
  'EventSourceArn',
  'Enabled',
  'StartingPosition',
  'StartingPositionTimestamp',
  'FunctionResponseTypes',
  'BisectBatchOnFunctionError',
  'DestinationConfig',
  'MetricsConfig',
  'Tags',
]);

type Properties = Readonly<Record<string, unknown>>;

/**
 * Read the resolved properties of an AWS::Lambda::EventSourceMapping.
 *
 * @throws {Error} naming every property that is unknown here, or out of AWS's range.
 */
export function parseMapping(properties: Properties, nowMs: number): MappingSettings {
  const faults: string[] = [];
  const number = (name: keyof typeof RANGES): number => {
    const { min, max, absent } = RANGES[name];
    const value = Number(properties[name] ?? absent);
    if (Number.isInteger(value) && value >= min && value <= max) return value;
    faults.push(`${name} is ${JSON.stringify(properties[name])}, not ${min} to ${max}`);
    return absent;
  };
  for (const name of Object.keys(properties)) {
    if (!MAPPING_PROPERTIES.has(name)) faults.push(`${name} is not done by the local cloud`);
  }
  const text = (name: string): string => {
    const value = properties[name];
    return typeof value === 'string' ? value : '';
  };
  const streamArn = text('EventSourceArn');
  const streamName = /^arn:[^:]+:kinesis:[^:]*:[^:]*:stream\/([\w.-]+)$/.exec(streamArn)?.[1];
  if (streamName === undefined) faults.push(`EventSourceArn ${streamArn} is not a stream`);
  const functionName = functionNameIn(text('FunctionName'));
  if (functionName === '') faults.push('FunctionName is absent');

  const responseTypes = properties.FunctionResponseTypes ?? [];
  const reportsItemFailures = JSON.stringify(responseTypes) === '["ReportBatchItemFailures"]';
  if (!reportsItemFailures && JSON.stringify(responseTypes) !== '[]') {
    faults.push(`FunctionResponseTypes ${JSON.stringify(responseTypes)} is unknown`);
  }
  const recordAgeSec = number('MaximumRecordAgeInSeconds');
  if (recordAgeSec >= 0 && recordAgeSec < RECORD_AGE_SEC_MIN) {
    faults.push(`MaximumRecordAgeInSeconds is ${recordAgeSec}, not -1 or 60 to 604800`);
  }
  const retryAttempts = number('MaximumRetryAttempts');
  const settings: MappingSettings = {
    functionName,
    streamArn,
    streamName: streamName ?? '',
    isEnabled: isTrue(properties.Enabled ?? true),
    batchSize: number('BatchSize'),
    batchingWindowSec: number('MaximumBatchingWindowInSeconds'),
    parallelizationFactor: number('ParallelizationFactor'),
    startingPosition: startingPosition(properties, nowMs, faults),
    reportsItemFailures,
    retryAttemptsMax: retryAttempts < 0 ? undefined : retryAttempts,
    recordAgeSecMax: recordAgeSec < 0 ? undefined : recordAgeSec,
    bisects: isTrue(properties.BisectBatchOnFunctionError ?? false),
    failureBucket: failureBucket(properties.DestinationConfig, faults),
    countsEvents: countsEvents(properties.MetricsConfig),
  };
  if (faults.length > 0) {
    throw new Error(`event source mapping of ${functionName || streamArn}: ${faults.join('; ')}`);
  }
  return settings;
}

/** The name in a name, a partial ARN or an ARN, with or without $LATEST. */
function functionNameIn(text: string): string {
  return /(?:^|:function:)([\w-]+)(?::\$LATEST)?$/.exec(text)?.[1] ?? '';
}

/** A parameter's value is text even where the property is a boolean. */
function isTrue(value: unknown): boolean {
  return value === true || value === 'true';
}

function startingPosition(
  properties: Properties,
  nowMs: number,
  faults: string[],
): StartingPosition {
  const { StartingPosition, StartingPositionTimestamp } = properties;
  const isAtTimestamp = StartingPosition === 'AT_TIMESTAMP';
  if (!isAtTimestamp && StartingPositionTimestamp !== undefined) {
    faults.push('StartingPositionTimestamp is only for AT_TIMESTAMP');
  }
  if (StartingPosition === 'TRIM_HORIZON') return { kind: 'trim-horizon' };
  if (StartingPosition === 'LATEST') return { kind: 'latest' };
  const timestampMs = Number(StartingPositionTimestamp) * 1000;
  if (!isAtTimestamp) {
    faults.push(`StartingPosition ${JSON.stringify(StartingPosition)} is unknown`);
  } else if (!(timestampMs <= nowMs)) {
    faults.push('StartingPositionTimestamp is absent, not in Unix seconds, or in the future');
  }
  return { kind: 'at-timestamp', timestampMs };
}

function countsEvents(config: unknown): boolean {
  const { Metrics = [] } = (config ?? {}) as { Metrics?: readonly string[] };
  return Metrics.includes('EventCount');
}

function failureBucket(config: unknown, faults: string[]): string | undefined {
  if (config === undefined) return undefined;
  const { OnFailure, ...others } = config as { OnFailure?: { Destination?: unknown } };
  const arn = OnFailure?.Destination;
  const bucket = /^arn:[^:]+:s3:::([^/]+)$/.exec(String(arn))?.[1];
  if (Object.keys(others).length > 0 || (OnFailure !== undefined && bucket === undefined)) {
    faults.push(`DestinationConfig ${JSON.stringify(config)} is not a failure bucket's ARN`);
  }
  return bucket;
}
