/** The event source mappings of a cloud, each with what it was made with. */
import { ServiceError } from '#local/aws-json';
import type { CloudEvent } from '#local/cloud-event';
import type { ObjectStore, QueueStore } from '#local/contracts';
import { ofMapping } from '#local/metrics/lambda-measurements';
import type { Measure } from '#local/metrics/measurement';
import { arn, REGION } from '#local/template/arns';
import { createKinesisMapping } from './create-kinesis-mapping.ts';
import type { KinesisMapping, MappingDeps } from './create-kinesis-mapping.ts';
import type { MappingState } from './mapping-description.ts';
import { parseMapping } from './mapping-settings.ts';
import type { MappingProperties, MappingSettings } from './mapping-settings.ts';
import { processingResult } from './processing-result.ts';

export interface MappedFunction {
  readonly functionName: string;
  readonly functionArn: string;
  readonly roleArn: string;
}

export interface MappingEntry {
  readonly uuid: string;
  /** Through the API; the others are of a template. */
  readonly isMade: boolean;
  properties: MappingProperties;
  settings: MappingSettings;
  mapping: KinesisMapping;
  state: MappingState;
  lastModifiedMs: number;
  lastProcessingResult: string;
}

export interface MappingBook {
  readonly functions: Map<string, MappedFunction>;
  readonly entries: Map<string, MappingEntry>;
  /** @throws {Error} when the properties, the function or the stream are not possible. */
  check(properties: MappingProperties, own?: string): MappingSettings;
  /** A mapping that rests until it is started. */
  make(uuid: string, settings: MappingSettings): KinesisMapping;
  /** @throws {Error} as `check` does. */
  enter(uuid: string, properties: MappingProperties, isMade: boolean): MappingEntry;
}

export interface MappingBookDeps extends Omit<
  MappingDeps,
  'uuid' | 'region' | 'functionArn' | 'roleArn' | 'objects' | 'queues' | 'onEvent'
> {
  /** The buckets, as a function's role lets Lambda write to them. */
  objectsAs(functionName: string): ObjectStore;
  /** And the queues. */
  queuesAs(functionName: string): QueueStore;
  onEvent(event: CloudEvent): void;
  readonly measure: Measure;
}

export function createMappingBook({ onEvent, measure, ...deps }: MappingBookDeps): MappingBook {
  const { clock, log } = deps;
  const functions: MappingBook['functions'] = new Map();
  const entries: MappingBook['entries'] = new Map();

  const check: MappingBook['check'] = (properties, own) => {
    const settings = parseMapping(properties, clock.nowMs());
    functionIn(functions, settings.functionName);
    try {
      log.listShards(settings.streamName);
    } catch {
      const message = `Stream not found: ${settings.streamArn}`;
      throw new ServiceError('InvalidParameterValueException', message);
    }
    refuseTwin(entries.values(), settings, own);
    return settings;
  };
  const make: MappingBook['make'] = (uuid, settings) => {
    const { functionName, streamName: stream, countsEvents } = settings;
    return createKinesisMapping(settings, {
      ...deps,
      ...functionIn(functions, functionName),
      uuid,
      region: REGION,
      objects: deps.objectsAs(functionName),
      queues: deps.queuesAs(functionName),
      onEvent(event) {
        const entry = entries.get(uuid);
        const result = processingResult(event);
        if (entry !== undefined && result !== undefined) entry.lastProcessingResult = result;
        ofMapping(event, countsEvents ? uuid : undefined).forEach(measure);
        onEvent({ ...event, stream });
      },
    });
  };
  return {
    functions,
    entries,
    check,
    make,
    enter(uuid, properties, isMade) {
      const settings = check(properties);
      const entry: MappingEntry = {
        uuid,
        isMade,
        properties,
        settings,
        mapping: make(uuid, settings),
        state: restingState(settings),
        lastModifiedMs: clock.nowMs(),
        lastProcessingResult: 'No records processed',
      };
      entries.set(uuid, entry);
      return entry;
    },
  };
}

export function restingState({ isEnabled }: MappingSettings): MappingState {
  return isEnabled ? 'Enabled' : 'Disabled';
}

export function functionIn(
  functions: MappingBook['functions'],
  functionName: string,
): MappedFunction {
  const mapped = functions.get(functionName);
  if (mapped !== undefined) return mapped;
  const message = `Function not found: ${arn('lambda', `function:${functionName}`)}`;
  throw new ServiceError('ResourceNotFoundException', message, { status: 404 });
}

/** @source Lambda API 2015-03-31, CreateEventSourceMapping: ResourceConflictException. */
function refuseTwin(
  entries: Iterable<MappingEntry>,
  { functionName, streamArn }: MappingSettings,
  own: string | undefined,
): void {
  for (const { uuid, settings } of entries) {
    if (uuid === own || settings.functionName !== functionName) continue;
    if (settings.streamArn !== streamArn) continue;
    const pair = `The event source arn (" ${streamArn} ") and function (" ${functionName} ")`;
    const advice = `Please update or delete the existing mapping with UUID ${uuid}`;
    const message = `${pair} provided mapping already exists. ${advice}`;
    throw new ServiceError('ResourceConflictException', message, { status: 409 });
  }
}
