/** Turns templates into a list of resources whose every value is known. */
import { createHash } from 'node:crypto';
import type { AssemblyStack, TemplateResource } from './assembly.ts';
import { creationOrder } from './creation-order.ts';
import { handlerKey } from './handler-key.ts';
import { inlineCode } from './inline-code.ts';
import { evaluate, evaluateCondition, IntrinsicError, NO_VALUE } from './intrinsics.ts';
import type { Scope } from './intrinsics.ts';
import { resolveParameters } from './parameters.ts';
import { ACCOUNT_ID, PARTITION, REGION } from './arns.ts';
import type { Identity, Properties, ResourceType } from './resource-type.ts';
import { RESOURCE_TYPES } from './resource-types.ts';
import { TemplateError } from './template-error.ts';
import { unsupportedProperties } from './unsupported-properties.ts';

export interface PlannedResource {
  readonly stack: string;
  readonly logicalId: string;
  readonly type: string;
  /** The physical name: what survives a redeploy. */
  readonly name: string;
  readonly identity: Identity;
  /** Without intrinsic functions. */
  readonly properties: Properties;
  /** True: accepted, and nothing is created for it. */
  readonly inert: boolean;
  /** Where the function's code is on this machine. */
  readonly codePath?: string;
}

/**
 * Resolve all stacks' resources, each after those it needs.
 *
 * @param handlers functions whose code is not the template's, as `handlerKey` finds them.
 * @throws {TemplateError} with every parameter, type, property and reference that is in the way.
 */
export function planResources(
  stacks: readonly AssemblyStack[],
  parameters: Readonly<Record<string, string>>,
  handlers: readonly string[] = [],
): readonly PlannedResource[] {
  const problems: string[] = [];
  const planned = stacks
    .flatMap((stack) => planStack(stack, parameters, problems))
    .map((resource) => withCode(resource, { stacks, handlers, problems }));
  const owners = new Map<string, PlannedResource>();
  for (const resource of planned) {
    if (resource.inert) continue;
    const key = `${resource.type} ${resource.name}`;
    const owner = owners.get(key);
    if (owner !== undefined) {
      problems.push(`${place(owner)} and ${place(resource)} are both named ${resource.name}.`);
    }
    owners.set(key, resource);
  }
  if (problems.length > 0) throw new TemplateError(problems);
  return planned;
}

function planStack(
  stack: AssemblyStack,
  given: Readonly<Record<string, string>>,
  problems: string[],
): readonly PlannedResource[] {
  const { template } = stack;
  const parameters = resolveParameters(stack.name, template, given);
  problems.push(...parameters.problems);
  // A value that is missing is told once, above, and not again wherever it is used.
  const known = { ...placeholders(template.Parameters), ...parameters.values };
  const { logicalIds, cycle } = creationOrder(template);
  if (cycle.length > 0) {
    problems.push(`Stack ${stack.name}: resources ${cycle.join(', ')} wait for each other.`);
  }
  const identities = new Map<string, Identity>();
  const scope: Scope = {
    ref: (name) => pseudoParameter(name, stack.name) ?? known[name] ?? identities.get(name)?.ref,
    attribute: (resource, name) => identities.get(resource)?.attributes[name],
    condition: (name) => template.Conditions?.[name],
    mapped: (map, top, second) => template.Mappings?.[map]?.[top]?.[second],
  };
  return logicalIds.flatMap((logicalId) => {
    const resource = template.Resources?.[logicalId];
    if (resource === undefined || !isWanted(resource, scope)) return [];
    const planned = planResource(stack, logicalId, resource, scope, problems);
    if (planned === undefined) return [];
    identities.set(logicalId, planned.identity);
    return [planned];
  });
}

function isWanted({ Condition }: TemplateResource, scope: Scope): boolean {
  return Condition === undefined || evaluateCondition({ Condition }, scope);
}

function planResource(
  stack: AssemblyStack,
  logicalId: string,
  resource: TemplateResource,
  scope: Scope,
  problems: string[],
): PlannedResource | undefined {
  const where = place({ stack: stack.name, logicalId, type: resource.Type });
  const type = RESOURCE_TYPES[resource.Type];
  if (type === undefined) {
    problems.push(`${where}: the type is not supported by the local cloud.`);
    return undefined;
  }
  const inert = type.nothingLocally === true;
  const properties = inert
    ? nameOnly(type, resource, scope)
    : evaluateProperties(resource.Properties ?? {}, scope, (problem) => {
        problems.push(`${where}: ${problem}.`);
      });
  if (!inert) {
    for (const path of unsupportedProperties(properties, type)) {
      problems.push(`${where}: property ${path} is not supported by the local cloud.`);
    }
    for (const refusal of type.refuse?.(properties) ?? []) problems.push(`${where}: ${refusal}.`);
  }
  const name = physicalName(stack.name, logicalId, type, properties);
  return {
    stack: stack.name,
    logicalId,
    type: resource.Type,
    name,
    identity: type.identify(name),
    properties,
    inert,
  };
}

/** A function, with where its code is: its handler's, in the template, or an asset. */
function withCode(
  resource: PlannedResource,
  {
    stacks,
    handlers,
    problems,
  }: {
    readonly stacks: readonly AssemblyStack[];
    readonly handlers: readonly string[];
    readonly problems: string[];
  },
): PlannedResource {
  const { type, name, properties } = resource;
  if (type !== 'AWS::Lambda::Function') return resource;
  if (handlerKey(handlers, resource) !== undefined) return resource;
  const { ZipFile, S3Key } = (properties['Code'] ?? {}) as Properties;
  if (typeof ZipFile === 'string') return { ...resource, codePath: inlineCode(ZipFile) };
  const assets = stacks.find((stack) => stack.name === resource.stack)?.assetPaths;
  const codePath = assets?.get(String(S3Key));
  if (codePath !== undefined) return { ...resource, codePath };
  problems.push(
    assets?.size === 0
      ? `${place(resource)}: a template has no code beside it: give handlers['${name}'], or cdkOut.`
      : `${place(resource)}: its code ${String(S3Key)} is no asset of the stack.`,
  );
  return resource;
}

function evaluateProperties(
  properties: Properties,
  scope: Scope,
  report: (problem: string) => void,
): Properties {
  const result: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(properties)) {
    try {
      const known = evaluate(value, scope);
      if (known !== NO_VALUE) result[name] = known;
    } catch (error) {
      if (!(error instanceof IntrinsicError)) throw error;
      report(`property ${name}: ${error.message}`);
    }
  }
  return result;
}

/** What an inert resource says does not matter, unless another refers to its name. */
function nameOnly(type: ResourceType, resource: TemplateResource, scope: Scope): Properties {
  const { nameProperty } = type;
  const value = nameProperty === undefined ? undefined : resource.Properties?.[nameProperty];
  if (nameProperty === undefined || value === undefined) return {};
  return evaluateProperties({ [nameProperty]: value }, scope, () => undefined);
}

/** The given name, else one that stays the same from deployment to deployment. */
function physicalName(
  stack: string,
  logicalId: string,
  { nameProperty, namesByUuid = false }: ResourceType,
  properties: Properties,
): string {
  const given = nameProperty === undefined ? undefined : properties[nameProperty];
  if (typeof given === 'string') return given;
  const digest = createHash('sha256').update(`${stack}/${logicalId}`).digest('hex');
  return namesByUuid
    ? digest.slice(0, 32).replace(/^(.{8})(.{4}).(.{3}).(.{3})/, '$1-$2-4$3-8$4-')
    : `${stack}-${logicalId}-${digest.slice(0, 12)}`.toLowerCase();
}

/** @source CloudFormation User Guide, Pseudo parameters reference. */
function pseudoParameter(name: string, stack: string): unknown {
  switch (name) {
    case 'AWS::AccountId':
      return ACCOUNT_ID;
    case 'AWS::Region':
      return REGION;
    case 'AWS::Partition':
      return PARTITION;
    case 'AWS::URLSuffix':
      return 'amazonaws.com';
    case 'AWS::StackName':
      return stack;
    case 'AWS::StackId':
      return `arn:${PARTITION}:cloudformation:${REGION}:${ACCOUNT_ID}:stack/${stack}/local`;
    case 'AWS::NotificationARNs':
      return [];
    default:
      return undefined;
  }
}

function placeholders(parameters: Readonly<Record<string, unknown>> | undefined): Properties {
  return Object.fromEntries(Object.keys(parameters ?? {}).map((name) => [name, '']));
}

function place({
  stack,
  logicalId,
  type,
}: {
  stack: string;
  logicalId: string;
  type: string;
}): string {
  return `${logicalId} (${type}) in ${stack}`;
}
