/** What there is to know of a CloudFormation resource type. */
import type { KnownProperties } from './unsupported-properties.ts';

export type Properties = Readonly<Record<string, unknown>>;

export interface Identity {
  /** The value of Ref. */
  readonly ref: string;
  /** The values of Fn::GetAtt. */
  readonly attributes: Readonly<Record<string, string>>;
}

export interface ResourceType extends KnownProperties {
  /** The property that holds the physical name, if the type has one. */
  readonly nameProperty?: string;
  /** True: the physical name is a UUID. */
  readonly namesByUuid?: boolean;
  /** True: any property is accepted, and nothing is created. */
  readonly nothingLocally?: boolean;
  identify(name: string): Identity;
  /** Values, of properties that are implemented, that are not; each continues `…: `. */
  refuse?(properties: Properties): readonly string[];
}

/** Ref is the name; the one attribute is the ARN. */
export function named(toArn: (name: string) => string): ResourceType['identify'] {
  return (name) => ({ ref: name, attributes: { Arn: toArn(name) } });
}
