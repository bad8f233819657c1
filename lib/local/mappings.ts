/** All event source mappings of a cloud. */
import type { CloudEvent } from './cloud-event.ts';
import type { ObjectStore } from './contracts.ts';
import { createKinesisMapping } from './lambda/mapping/create-kinesis-mapping.ts';
import type { KinesisMapping, MappingDeps } from './lambda/mapping/create-kinesis-mapping.ts';
import { parseMapping } from './lambda/mapping/mapping-settings.ts';
import { ofMapping } from './metrics/lambda-measurements.ts';
import type { Measure } from './metrics/measurement.ts';
import { REGION } from './template/arns.ts';
import type { Properties } from './template/resource-type.ts';

export interface MappedFunction {
  readonly functionName: string;
  readonly functionArn: string;
  readonly roleArn: string;
}

export interface Mappings {
  addFunction(mapped: MappedFunction): void;
  /**
   * What is measured of it is measured by its `id`.
   *
   * @throws {Error} when the properties, the function or the stream are not possible.
   */
  add(properties: Properties, id: string): void;
  start(): void;
  /** Waits for the batches under way; what they finish is kept. */
  stop(): Promise<void>;
  isIdle(): boolean;
}

export interface MappingsDeps extends Omit<
  MappingDeps,
  'region' | 'functionArn' | 'roleArn' | 'objects' | 'onEvent'
> {
  /** The buckets, as a function's role lets Lambda write to them. */
  objectsAs(functionName: string): ObjectStore;
  onEvent(event: CloudEvent): void;
  readonly measure: Measure;
}

export function createMappings({ onEvent, measure, ...deps }: MappingsDeps): Mappings {
  const functions = new Map<string, MappedFunction>();
  const mappings: KinesisMapping[] = [];
  return {
    addFunction: (mapped) => void functions.set(mapped.functionName, mapped),
    add(properties, id) {
      const settings = parseMapping(properties, deps.clock.nowMs());
      const { functionName, streamName: stream } = settings;
      const mapped = functions.get(functionName);
      if (mapped === undefined) throw new Error(`there is no function ${functionName}`);
      deps.log.listShards(stream);
      const countedAs = settings.countsEvents ? id : undefined;
      const mapping = createKinesisMapping(settings, {
        ...deps,
        ...mapped,
        region: REGION,
        objects: deps.objectsAs(functionName),
        onEvent(event) {
          for (const measurement of ofMapping(event, countedAs)) measure(measurement);
          onEvent({ ...event, stream });
        },
      });
      mappings.push(mapping);
    },
    start() {
      for (const mapping of mappings) mapping.start();
    },
    async stop() {
      await Promise.all(mappings.map((mapping) => mapping.stop()));
    },
    isIdle: () => mappings.every((mapping) => mapping.isIdle()),
  };
}
