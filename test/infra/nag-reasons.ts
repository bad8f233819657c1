/** Every finding of cdk-nag that stands, and why. One that is no longer found is to be removed. */

export interface NagReason {
  readonly rule: string;
  /** Part of the finding: for a right, its resource; else the construct's path. */
  readonly where: RegExp;
  readonly reason: string;
}

export const NAG_REASONS: readonly NagReason[] = [
  {
    rule: 'AwsSolutions-S1',
    where: /\/Quarantine\/Bucket\//,
    reason:
      'Access logs would need a second bucket a pipeline, with findings of its own. Who reads the quarantine is in CloudTrail where an account records data events.',
  },
  {
    rule: 'AwsSolutions-KDS3',
    where: /-data\/Stream\/Stream$/,
    reason:
      "A stream is under a key other than AWS's own only where its pipeline file names one, at its owner's cost.",
  },
  {
    rule: 'AwsSolutions-SMG4',
    where: /-data\/Secret(-[a-z-]+)?$/,
    reason:
      'A token is its service’s own: only the owner can issue another, so a person puts it. It is read anew after it is refused.',
  },
  {
    rule: 'AwsSolutions-IAM5',
    where: /:s3:::[^ ]*-refused-[^ ]*\/([a-z-]+(\/given-up)?|aws\/lambda)\/\*\]/,
    reason:
      "Objects' keys hold what was refused and when, so a right must name a prefix: each function has its own, and may only put; what reads the mappings’ documents may do so under their prefix alone.",
  },
  {
    rule: 'Serverless-SNSRedrivePolicy',
    where: /\/Alarms\/Email$/,
    reason:
      'An e-mail that is not delivered loses no state: the alarm stands in CloudWatch and on the dashboard until it is over.',
  },
  {
    rule: 'Serverless-LambdaDLQ',
    where: /\/Poll\/Poll\/Function\//,
    reason:
      'A tick carries nothing: the next one does its work from the saved cursor, and poll-stale rings where none does.',
  },
  {
    rule: 'Serverless-LambdaDLQ',
    where: /\/Consumer-[a-z-]+\/Consume\/Function\//,
    reason:
      'The mapping calls it synchronously; what is given up goes with its payload to the quarantine by the mapping’s own on-failure destination.',
  },
  {
    rule: 'Serverless-LambdaDLQ',
    where: /\/Recovery\/Recover\/Function\//,
    reason:
      'A tick carries nothing: what was given up lies in the bucket until a tick has read it.',
  },
  {
    rule: 'Serverless-LambdaAsyncFailureDestination',
    where: /\/(Poll|Recovery)\/InvokeConfig$/,
    reason: 'As for its dead letters: a tick that failed holds nothing to keep.',
  },
  {
    rule: 'Serverless-LambdaTracing',
    where: /\/Function\//,
    reason:
      'Kinesis carries no trace from one function to the next, so a trace would show one call; its place and duration are in the logs and metrics. The tracer costs 35 ms of every cold start.',
  },
];
