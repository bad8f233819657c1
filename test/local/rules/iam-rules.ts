import type { Rules } from './rule.ts';

const GUIDE = 'IAM/latest/UserGuide';
const SERVICES = 'service-authorization/latest/reference';
const OURS = { isOurChoice: true } as const;

export const IAM_RULES = {
  'nothing-by-itself': {
    rule: 'nothing is allowed by itself',
    source: `${GUIDE}/reference_policies_evaluation-logic`,
  },
  'deny-wins': {
    rule: 'a Deny wins wherever it stands',
    source: `${GUIDE}/reference_policies_evaluation-logic`,
  },
  wildcards: {
    rule: 'an action and a resource are matched whole, * being any characters and ? one',
    source: `${GUIDE}/reference_policies_elements_resource`,
  },
  'wildcards-oracle': {
    rule: 'a pattern matches what the slow definition of it matches',
    source: `${GUIDE}/reference_policies_elements_resource`,
  },
  'wildcards-fast': {
    rule: 'no pattern, however it is made, takes long to match',
    source: 'a template could hold one that does',
    ...OURS,
  },
  'action-case': {
    rule: 'letters’ case does not matter in an action, and does in a resource',
    source: `${GUIDE}/reference_policies_elements_action`,
  },
  'arn-parts': {
    rule: 'a wildcard stays between the colons of an ARN’s head, and reaches over those of its resource',
    source: `${GUIDE}/reference_policies_elements_resource`,
  },
  'not-action': {
    rule: 'NotAction is every action but those it names',
    source: `${GUIDE}/reference_policies_elements_notaction`,
  },
  'not-resource': {
    rule: 'NotResource is every resource but those it names',
    source: `${GUIDE}/reference_policies_elements_notresource`,
  },
  'conditions-all': {
    rule: 'all conditions of a statement must hold',
    source: `${GUIDE}/reference_policies_elements_condition`,
  },
  'conditions-text': {
    rule: 'a pattern of a condition matches as one of a resource does',
    source: `${GUIDE}/reference_policies_elements_condition_operators`,
  },
  'conditions-sets': {
    rule: 'a key with several values is asked for all of them or for any',
    source: `${GUIDE}/reference_policies_condition-single-vs-multi-valued-context-keys`,
  },
  'leading-keys': {
    rule: 'a request of DynamoDB is about the partition keys of its items',
    source: 'amazondynamodb/latest/developerguide/specifying-conditions',
  },
  'one-account': {
    rule: 'everything here is of one account',
    source: 'a template is deployed into one',
    ...OURS,
  },
  undecidable: {
    rule: 'what cannot be decided here is told when deployed, and never taken for true',
    source: 'a right that is only supposed is worse than none',
    ...OURS,
  },
  'known-policies': {
    rule: 'a role has what is in it, attached to it by the template, or a known policy of AWS’s',
    source: `${GUIDE}/access_policies_managed-vs-inline`,
  },
  operator: {
    rule: 'whoever has another key is an operator, and may do everything',
    source: 'a person at the machine owns the cloud',
    ...OURS,
  },
  'refused-words': {
    rule: 'a refusal is in AWS’s words, and in the form of the service that refuses',
    source: `${GUIDE}/troubleshoot_access-denied`,
  },
  'calls-kinesis': {
    rule: 'a request of Kinesis needs its action on the stream, and with a user’s key that key',
    source: `${SERVICES}/list_amazonkinesisdatastreams`,
  },
  'calls-secrets': {
    rule: 'a secret is known by its ARN with the random ending',
    source: `${SERVICES}/list_awssecretsmanager`,
  },
  'calls-objects': {
    rule: 'a request of S3 needs its action on the object or the bucket, however it is addressed',
    source: `${SERVICES}/list_amazons3`,
  },
  'calls-queues': {
    rule: 'a request of SQS needs its action on the queue, a batch that of one message',
    source: `${SERVICES}/list_amazonsqs`,
  },
  'calls-lambda': {
    rule: 'a request of Lambda needs its action on the function, however it is called',
    source: `${SERVICES}/list_awslambda`,
  },
  'calls-scheduler': {
    rule: 'a request of EventBridge Scheduler needs its action on the schedule',
    source: `${SERVICES}/list_amazoneventbridgescheduler`,
  },
  'lambda-logs': {
    rule: 'lines are kept when the function’s role may write its log group',
    source: 'lambda/latest/dg/lambda-intro-execution-role',
  },
  'lambda-failures': {
    rule: 'failures are kept when the function’s role may write the bucket, or send to the queue',
    source: 'lambda/latest/dg/invocation-async-retain-records',
  },
  'schedule-role': {
    rule: 'a schedule whose role may not call the function drops its tick',
    source: 'scheduler/latest/UserGuide/setting-up, execution role',
  },
} as const satisfies Rules;
