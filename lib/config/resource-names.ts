/** The name of everything that a stage's pipelines own in an AWS account. */

/** No hyphen: stage `a-b` with pipeline `c` must not meet stage `a` with pipeline `b-c`. */
export const STAGE_PATTERN = /^[a-z][a-z0-9]{0,15}$/;

export interface PipelineNames {
  readonly dataStack: string;
  readonly runStack: string;
  readonly stream: string;
  /** Account and region follow, so that the name is free in S3's one namespace. */
  readonly quarantineBucketPrefix: string;
  /** The same, of a source that is read as a whole. */
  readonly ledgerBucketPrefix: string;
  readonly pollFunction: string;
  /** Of its schedule as well. */
  readonly recoverFunction: string;
  readonly schedule: string;
  readonly scheduleGroup: string;
  readonly dashboard: string;
}

export interface ConsumerNames {
  readonly table: string;
  readonly function: string;
}

export const stageNames = (stage: string) => ({
  sharedStack: `penstock-${stage}-shared`,
  stateTable: `penstock-${stage}-state`,
  alarmTopic: `penstock-${stage}-alarms`,
});

export function pipelineNames(stage: string, pipeline: string): PipelineNames {
  const prefix = `penstock-${stage}-${pipeline}`;
  return {
    dataStack: `${prefix}-data`,
    runStack: `${prefix}-run`,
    stream: prefix,
    quarantineBucketPrefix: `${prefix}-refused`,
    ledgerBucketPrefix: `${prefix}-ledgers`,
    pollFunction: `${prefix}-poll`,
    recoverFunction: `${prefix}-recover`,
    schedule: `${prefix}-poll`,
    scheduleGroup: prefix,
    dashboard: prefix,
  };
}

export function consumerNames(stage: string, pipeline: string, consumer: string): ConsumerNames {
  return {
    table: `penstock-${stage}-${pipeline}-${consumer}`,
    function: `penstock-${stage}-${pipeline}-consume-${consumer}`,
  };
}

/** @example alarmName('dev', 'orders', 'poll-stale'); // 'penstock-dev-orders-poll-stale' */
export function alarmName(stage: string, pipeline: string, id: string): string {
  return `penstock-${stage}-${pipeline}-${id}`;
}

/** S3 has one namespace for all accounts: the account and region keep the name free. */
export function bucketName(prefix: string, place: { account: string; region: string }): string {
  return `${prefix}-${place.account}-${place.region}`;
}

export function secretName(stage: string, secret: string): string {
  return `penstock/${stage}/${secret}`;
}
