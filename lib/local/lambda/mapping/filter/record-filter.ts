/** Decides which records of a stream a mapping hands to its function. */
import { isUtf8 } from 'node:buffer';
import type { LogRecord } from '#local/contracts';
import type { EventSource } from '#local/lambda/mapping/kinesis-event';
import { matchesPattern } from './matches-pattern.ts';
import { parsePattern } from './parse-pattern.ts';
import type { Pattern } from './parse-pattern.ts';

/** True: the record goes to the function. */
export type RecordFilter = (record: LogRecord, source: EventSource) => boolean;

export type ParsedFilter =
  /** Undefined: every record goes to the function. */
  | { readonly kind: 'filter'; readonly filter: RecordFilter | undefined }
  | { readonly kind: 'fault'; readonly message: string };

/** @source Lambda Developer Guide, "Control which events Lambda sends to your function": the quota unless raised. */
const FILTERS_MAX = 5;
/** What a record has, beside its data. */
const METADATA = new Set([
  'kinesisSchemaVersion',
  'partitionKey',
  'sequenceNumber',
  'approximateArrivalTimestamp',
  'eventSource',
  'eventVersion',
  'eventID',
  'eventName',
  'invokeIdentityArn',
  'awsRegion',
  'eventSourceARN',
]);

/** Read a mapping's FilterCriteria; one filter of several is enough. */
export function parseFilterCriteria(criteria: unknown): ParsedFilter {
  const filters = filtersIn(criteria);
  if (filters === undefined) return fault('is not a list of Filters, each with a Pattern');
  if (filters.length === 0) return { kind: 'filter', filter: undefined };
  if (filters.length > FILTERS_MAX) return fault(`has ${filters.length} filters of ${FILTERS_MAX}`);
  const asked: { readonly pattern: Pattern; readonly needsData: boolean }[] = [];
  for (const text of filters) {
    const parsed = parsePattern(text);
    if (parsed.kind === 'fault')
      return fault(`Invalid filter pattern definition: ${parsed.message}`);
    const names = namesIn(parsed.pattern);
    const unknown = names.find((name) => name !== 'data' && !METADATA.has(name));
    if (unknown !== undefined) {
      return fault(`Invalid filter pattern definition: a Kinesis record has no ${unknown}`);
    }
    if (hasPlainData(parsed.pattern)) {
      return fault('Invalid filter pattern definition: data is compared as JSON, not as text');
    }
    asked.push({ pattern: parsed.pattern, needsData: names.includes('data') });
  }
  const filter: RecordFilter = (record, source) => {
    let decoded: ReturnType<typeof decode> | undefined;
    return asked.some(({ pattern, needsData }) => {
      if (needsData) decoded ??= decode(record.data);
      if (needsData && decoded?.kind !== 'json') return false;
      return matchesPattern(pattern, subjectOf(record, source, decoded));
    });
  };
  return { kind: 'filter', filter };
}

function fault(message: string): ParsedFilter {
  return { kind: 'fault', message: `FilterCriteria ${message}` };
}

function filtersIn(criteria: unknown): readonly string[] | undefined {
  if (criteria === undefined || criteria === null) return [];
  const { Filters: filters = [] } = criteria as { readonly Filters?: unknown };
  if (typeof criteria !== 'object' || !Array.isArray(filters)) return undefined;
  const patterns = filters.map((one: unknown) => (one as { Pattern?: unknown } | null)?.Pattern);
  return patterns.every((pattern) => typeof pattern === 'string') ? patterns : undefined;
}

function namesIn({ fields, choices }: Pattern): readonly string[] {
  return [...fields.map(([name]) => name), ...choices.flat().flatMap(namesIn)];
}

function hasPlainData({ fields, choices }: Pattern): boolean {
  return (
    fields.some(([name, expected]) => name === 'data' && Array.isArray(expected)) ||
    choices.flat().some(hasPlainData)
  );
}

function decode(data: Uint8Array): { kind: 'json'; value: unknown } | { kind: 'no-json' } {
  if (!isUtf8(data)) return { kind: 'no-json' };
  try {
    const text = Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString();
    return { kind: 'json', value: JSON.parse(text) as unknown };
  } catch {
    return { kind: 'no-json' };
  }
}

function subjectOf(
  { partitionKey, sequenceNumber, arrivalTimeMs }: LogRecord,
  { shardId, region, roleArn, streamArn }: EventSource,
  decoded: ReturnType<typeof decode> | undefined,
): Readonly<Record<string, unknown>> {
  return {
    kinesisSchemaVersion: '1.0',
    partitionKey,
    sequenceNumber,
    approximateArrivalTimestamp: arrivalTimeMs / 1000,
    eventSource: 'aws:kinesis',
    eventVersion: '1.0',
    eventID: `${shardId}:${sequenceNumber}`,
    eventName: 'aws:kinesis:record',
    invokeIdentityArn: roleArn,
    awsRegion: region,
    eventSourceARN: streamArn,
    ...(decoded?.kind === 'json' ? { data: decoded.value } : {}),
  };
}
