/** Turns planned resources into the local counterparts' own settings, and has them made. */
import type { FunctionSettings } from '#local/lambda/functions/function-settings';
import { readExpiryRules } from '#local/emulators/objects/lifecycle';
import type { ExpiryRule } from '#local/emulators/objects/lifecycle';
import { readSchedule } from '#local/emulators/scheduler/schedule';
import type { Schedule } from '#local/emulators/scheduler/schedule';
import { secretValue } from '#local/template/generated-secret';
import type { PlannedResource } from '#local/template/plan-resources';
import { RESOURCE_TYPES } from '#local/template/resource-types';
import type { Properties } from '#local/template/resource-type';
import { schedulesOfRule } from '#local/template/rule-type';
import { TemplateError } from '#local/template/template-error';

export interface InvokeConfigDeclaration {
  readonly functionName: string;
  readonly retryAttemptsMax?: number;
  readonly eventAgeMaxSec?: number;
  readonly failureBucket?: string;
  readonly failureQueueArn?: string;
}

/** Makes, or brings up to date, one resource of each type; each is known by its physical name. */
export interface ResourceMakers {
  /** Properties are as CloudFormation has them, less those that are inert, with the name. */
  stream(properties: Properties): void;
  table(properties: Properties): void;
  bucket(name: string, expiry?: readonly ExpiryRule[]): void;
  secret(secret: { readonly name: string; readonly arn: string; readonly value?: string }): void;
  queue(name: string, attributes: Readonly<Record<string, string>>): void;
  /** `roleArn` is whom the function's events say it runs as. */
  function(settings: FunctionSettings, roleArn: string): void;
  invokeConfig(config: InvokeConfigDeclaration): void;
  /** A function's DeadLetterConfig. */
  deadLetters(functionName: string, queueArn: string): void;
  /** `id` is the mapping's, as Ref answers it. */
  mapping(properties: Properties, id: string): void;
  schedule(schedule: Schedule): void;
  alarm(properties: Properties): void;
}

/**
 * Make every resource that is not inert, in the order planned.
 *
 * Mappings and schedules come last, whatever their stacks: stacks pass names to each other, so
 * nothing in the templates says that a stream stands before its reader.
 *
 * @throws {TemplateError} with every resource that a counterpart refuses, and why.
 */
export function deployResources(planned: readonly PlannedResource[], makers: ResourceMakers): void {
  const isReader = ({ type }: PlannedResource): boolean =>
    type === 'AWS::Lambda::EventSourceMapping' || type === 'AWS::Scheduler::Schedule';
  const problems: string[] = [];
  const made = planned.filter(({ inert }) => !inert);
  for (const resource of [...made.filter((r) => !isReader(r)), ...made.filter(isReader)]) {
    try {
      MAKE[resource.type]?.(resource, makers);
    } catch (error) {
      const { stack, logicalId, type } = resource;
      const reason = error instanceof Error ? error.message : String(error);
      problems.push(`${logicalId} (${type}) in ${stack}: ${reason.replace(/\.?$/, '.')}`);
    }
  }
  if (problems.length > 0) throw new TemplateError(problems);
}

type Make = (resource: PlannedResource, makers: ResourceMakers) => void;

const MAKE: Readonly<Record<string, Make>> = {
  'AWS::Kinesis::Stream': (resource, makers) => makers.stream(implemented(resource)),
  'AWS::DynamoDB::Table': (resource, makers) => makers.table(implemented(resource)),
  'AWS::DynamoDB::GlobalTable': (resource, makers) => makers.table(implemented(resource)),
  'AWS::S3::Bucket': ({ name, properties }, makers) =>
    makers.bucket(name, readExpiryRules(properties['LifecycleConfiguration'])),
  'AWS::SecretsManager::Secret': ({ name, identity, properties }, makers) => {
    const value = secretValue(name, properties);
    makers.secret({
      name,
      arn: identity.ref,
      ...(value === undefined ? {} : { value }),
    });
  },
  'AWS::Events::Rule': ({ name, identity, properties }, makers) => {
    const { Arn = '' } = identity.attributes;
    for (const schedule of schedulesOfRule(name, Arn, properties)) makers.schedule(schedule);
  },
  'AWS::SQS::Queue': (resource, makers) => {
    const { QueueName: _, ...attributes } = implemented(resource);
    makers.queue(resource.name, queueAttributesOf(attributes));
  },
  'AWS::Lambda::Function': ({ name, identity, properties, codePath = '' }, makers) => {
    const reserved = properties['ReservedConcurrentExecutions'];
    const variables = (properties['Environment'] as Properties | undefined)?.['Variables'];
    makers.function(
      {
        name,
        arn: identity.attributes['Arn'] ?? '',
        assetDir: codePath,
        handler: String(properties['Handler']),
        environment: textsOf(variables),
        memoryMb: number(properties['MemorySize'], 128),
        timeoutSec: number(properties['Timeout'], 3),
        ...(reserved === undefined ? {} : { reservedConcurrency: Number(reserved) }),
      },
      String(properties['Role']),
    );
    const deadLetters = (properties['DeadLetterConfig'] as Properties | undefined)?.['TargetArn'];
    if (deadLetters !== undefined) makers.deadLetters(name, String(deadLetters));
  },
  'AWS::Lambda::EventInvokeConfig': ({ properties }, makers) => {
    const attempts = properties['MaximumRetryAttempts'];
    const age = properties['MaximumEventAgeInSeconds'];
    makers.invokeConfig({
      functionName: functionNameIn(properties['FunctionName']),
      ...(attempts === undefined ? {} : { retryAttemptsMax: Number(attempts) }),
      ...(age === undefined ? {} : { eventAgeMaxSec: Number(age) }),
      ...failureDestinationIn(properties),
    });
  },
  'AWS::Lambda::EventSourceMapping': (resource, makers) =>
    makers.mapping(implemented(resource), resource.identity.ref),
  'AWS::CloudWatch::Alarm': (resource, makers) => makers.alarm(implemented(resource)),
  'AWS::Scheduler::Schedule': ({ name, identity, properties }, makers) => {
    const group = String(properties['GroupName'] ?? 'default');
    const arn = (identity.attributes['Arn'] ?? '').replace(
      'schedule/default/',
      `schedule/${group}/`,
    );
    makers.schedule(readSchedule(properties, name, arn));
  },
};

function implemented({ type, name, properties }: PlannedResource): Properties {
  const { implemented: paths, nameProperty } = RESOURCE_TYPES[type] ?? { implemented: [] };
  const names = new Set(paths.map((path) => path.split('.')[0]));
  const kept = Object.entries(properties).filter(([property]) => names.has(property));
  return {
    ...Object.fromEntries(kept),
    ...(nameProperty === undefined ? {} : { [nameProperty]: name }),
  };
}

function failureDestinationIn(
  properties: Properties,
): Pick<InvokeConfigDeclaration, 'failureBucket' | 'failureQueueArn'> {
  const config = properties['DestinationConfig'] as
    | { OnFailure?: { Destination?: unknown } }
    | undefined;
  const destination = config?.OnFailure?.Destination;
  if (destination === undefined) return {};
  const bucket = /^arn:aws:s3:::(.*)$/.exec(String(destination))?.[1];
  return bucket === undefined
    ? { failureQueueArn: String(destination) }
    : { failureBucket: bucket };
}

/** The name in a name or an ARN, without a qualifier. */
function functionNameIn(value: unknown): string {
  return String(value)
    .replace(/^.*:function:/, '')
    .replace(/:.*$/, '');
}

function number(value: unknown, otherwise: number): number {
  return value === undefined ? otherwise : Number(value);
}

/** CloudFormation has values where the API has their texts. */
function queueAttributesOf(properties: Properties): Readonly<Record<string, string>> {
  const text = (value: unknown): string =>
    typeof value === 'object' ? JSON.stringify(value) : String(value);
  return Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, text(value)]));
}

function textsOf(value: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries((value ?? {}) as Record<string, unknown>);
  return Object.fromEntries(entries.map(([name, text]) => [name, String(text)]));
}
