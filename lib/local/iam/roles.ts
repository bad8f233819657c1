/** The roles of the templates, each with everything its policies say. */
import type { PlannedResource } from '#local/template/plan-resources';
import type { Properties } from '#local/template/resource-type';
import { AWS_MANAGED_POLICIES } from './managed-policies.ts';
import { parsePolicy } from './policy.ts';
import type { Statement } from './policy.ts';

export interface Role {
  readonly name: string;
  readonly arn: string;
  readonly statements: readonly Statement[];
}

type Policy = readonly [name: string, document: unknown];

/**
 * Read all roles, by ARN: their inline policies, and those that are attached to them.
 *
 * Policies of resources are no part of it: buckets, keys and functions ask the caller's role alone.
 *
 * @param report hears, in sentences, of everything of them that cannot be decided here.
 */
export function readRoles(
  planned: readonly PlannedResource[],
  report: (problem: string) => void,
): ReadonlyMap<string, Role> {
  const attached = planned.filter(({ type }) => /^AWS::IAM::(Managed)?Policy$/.test(type));
  const roles = planned
    .filter(({ type }) => type === 'AWS::IAM::Role')
    .map((resource): Role => {
      const { name, identity, stack, logicalId, type } = resource;
      const tell = (fault: string): void => report(`${logicalId} (${type}) in ${stack}: ${fault}.`);
      const policies = [...inlinePolicies(resource), ...attachedPolicies(resource, attached, tell)];
      const statements = policies.flatMap(([policy, document]) =>
        parsePolicy(policy, document, tell),
      );
      return { name, arn: identity.attributes['Arn'] ?? '', statements };
    });
  return new Map(roles.map((role) => [role.arn, role]));
}

function inlinePolicies({ properties }: PlannedResource): readonly Policy[] {
  const policies = (properties['Policies'] ?? []) as readonly Properties[];
  return policies.map(({ PolicyName, PolicyDocument }) => [String(PolicyName), PolicyDocument]);
}

function attachedPolicies(
  { name, properties }: PlannedResource,
  attached: readonly PlannedResource[],
  report: (fault: string) => void,
): readonly Policy[] {
  const arns = ((properties['ManagedPolicyArns'] ?? []) as readonly unknown[]).map(String);
  const ofTemplates = attached.filter(
    (policy) =>
      ((policy.properties['Roles'] ?? []) as readonly unknown[]).includes(name) ||
      arns.includes(policy.identity.ref),
  );
  const known = new Set(ofTemplates.map(({ identity }) => identity.ref));
  const ofAws = arns.flatMap((arn): readonly Policy[] => {
    if (known.has(arn)) return [];
    const policy = arn.replace(/^arn:[^:]+:iam::aws:policy\//, '');
    const document = AWS_MANAGED_POLICIES[policy];
    if (document === undefined) report(`what the managed policy ${arn} says is not known`);
    return document === undefined ? [] : [[policy, document]];
  });
  return [
    ...ofTemplates.map(
      ({ name: otherwise, properties: { PolicyName, PolicyDocument } }): Policy => [
        String(PolicyName ?? otherwise),
        PolicyDocument,
      ],
    ),
    ...ofAws,
  ];
}
