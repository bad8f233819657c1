/** Roles and their policies: what they say is read, and asked at every call. */
import { globalArn } from './arns.ts';
import { named } from './resource-type.ts';
import type { ResourceType } from './resource-type.ts';

/** Whoever may take a role on, and for how long: here, who the template gives it to does. */
const ROLE_INERT = [
  'AssumeRolePolicyDocument',
  'MaxSessionDuration',
  'Path',
  'Description',
  'Tags',
];

export const IAM_TYPES: Readonly<Record<string, ResourceType>> = {
  'AWS::IAM::Role': {
    implemented: ['RoleName', 'Policies', 'ManagedPolicyArns'],
    inert: ROLE_INERT,
    nameProperty: 'RoleName',
    identify: named((name) => globalArn('iam', `role/${name}`)),
  },
  'AWS::IAM::Policy': {
    implemented: ['PolicyName', 'PolicyDocument', 'Roles'],
    inert: ['Users', 'Groups'],
    // Two roles may each have a policy of one name.
    identify: (name) => ({ ref: name, attributes: { Id: name } }),
  },
  'AWS::IAM::ManagedPolicy': {
    implemented: ['ManagedPolicyName', 'PolicyDocument', 'Roles'],
    inert: ['Users', 'Groups', 'Path', 'Description'],
    nameProperty: 'ManagedPolicyName',
    identify(name) {
      const policyArn = globalArn('iam', `policy/${name}`);
      return { ref: policyArn, attributes: { PolicyArn: policyArn } };
    },
  },
};
