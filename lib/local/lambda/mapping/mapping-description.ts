/** A mapping as Lambda's API shows it. */
import { MAPPING_RANGES } from './mapping-settings.ts';
import type { MappingProperties } from './mapping-settings.ts';

/** @source Lambda API 2015-03-31, EventSourceMappingConfiguration: State. */
export type MappingState =
  | 'Creating'
  | 'Enabling'
  | 'Enabled'
  | 'Disabling'
  | 'Disabled'
  | 'Updating'
  | 'Deleting';

export interface DescribedMapping {
  readonly uuid: string;
  readonly arn: string;
  readonly functionArn: string;
  /** As they were asked for. */
  readonly properties: MappingProperties;
  readonly state: MappingState;
  readonly lastModifiedMs: number;
  readonly lastProcessingResult: string;
}

/** @source Lambda API 2015-03-31, EventSourceMappingConfiguration; times are in seconds. */
export function describeMapping(mapping: DescribedMapping): Readonly<Record<string, unknown>> {
  const { properties } = mapping;
  const numbers = Object.entries(MAPPING_RANGES).map(([name, { absent }]) => [
    name,
    Number(properties[name] ?? absent),
  ]);
  const bisects = properties['BisectBatchOnFunctionError'];
  return {
    UUID: mapping.uuid,
    ...(Object.fromEntries(numbers) as Readonly<Record<string, number>>),
    ...given(properties, 'StartingPosition', 'StartingPositionTimestamp', 'EventSourceArn'),
    ...given(properties, 'FilterCriteria', 'KMSKeyArn', 'MetricsConfig'),
    FunctionArn: mapping.functionArn,
    LastModified: mapping.lastModifiedMs / 1000,
    LastProcessingResult: mapping.lastProcessingResult,
    State: mapping.state,
    StateTransitionReason: 'User action',
    DestinationConfig: properties['DestinationConfig'] ?? { OnFailure: {} },
    BisectBatchOnFunctionError: bisects === true || bisects === 'true',
    FunctionResponseTypes: properties['FunctionResponseTypes'] ?? [],
    EventSourceMappingArn: mapping.arn,
  };
}

function given(properties: MappingProperties, ...names: readonly string[]): MappingProperties {
  return Object.fromEntries(
    names.flatMap((name) => (properties[name] === undefined ? [] : [[name, properties[name]]])),
  );
}
