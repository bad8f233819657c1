/** What each function may do: the calls it makes, on the things it makes them on. */
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { keepsLedger } from '#config/keeps-ledger';
import type { ConsumerSettings, PipelineSettings } from '#config/pipeline-settings';
import { rateApi } from '#config/rate-budgets';
import { authSecret, isRefreshGrant } from '#config/required-settings';
import { consumerNames, pipelineNames, secretName, stageNames } from '#config/resource-names';
import { bucketArn, bucketName, secretArn, streamArn, tableArn } from './resource-arns.ts';

export function pollRights(
  scope: Construct,
  stage: string,
  settings: PipelineSettings,
): readonly PolicyStatement[] {
  const names = pipelineNames(stage, settings.name);
  const secret = authSecret(settings.source.auth);
  const api = rateApi(settings);
  return [
    new PolicyStatement({
      actions: ['kinesis:ListShards', 'kinesis:PutRecords'],
      resources: [streamArn(scope, names.stream)],
    }),
    ownState(scope, stage, [`poll#${settings.name}`], ['dynamodb:UpdateItem']),
    ...(api === undefined
      ? []
      : [ownState(scope, stage, [`rate#${api}`], ['dynamodb:GetItem', 'dynamodb:UpdateItem'])]),
    ...readCheckpoints(scope, stage, settings),
    allow('s3:PutObject', quarantineObjects(stage, settings, 'poll')),
    ...useLedgers(stage, settings),
    ...(secret === undefined ? [] : [readSecret(scope, stage, secret)]),
    ...(secret !== undefined && isRefreshGrant(settings.source.auth)
      ? replaceSecret(scope, stage, secret)
      : []),
    ...useKey('kms:GenerateDataKey', settings),
  ];
}

export function consumeRights(
  scope: Construct,
  {
    stage,
    settings,
    consumer,
  }: { stage: string; settings: PipelineSettings; consumer: ConsumerSettings },
): readonly PolicyStatement[] {
  const { name } = consumer;
  return [
    ...(consumer.kind === 'table'
      ? [
          new PolicyStatement({
            // A record too wide for one update is put.
            actions: ['dynamodb:PutItem', 'dynamodb:UpdateItem'],
            resources: [tableArn(scope, consumerNames(stage, settings.name, name).table)],
          }),
        ]
      : consumer.secrets.map((secret) => readSecret(scope, stage, secret))),
    ownState(
      scope,
      stage,
      [`checkpoint#${settings.name}#${name}`],
      ['dynamodb:GetItem', 'dynamodb:UpdateItem'],
    ),
    allow('s3:PutObject', quarantineObjects(stage, settings, name)),
    ...useKey('kms:Decrypt', settings),
  ];
}

/** A poller that heeds its consumers sees how far they are. */
function readCheckpoints(
  scope: Construct,
  stage: string,
  { name, poll, consumers }: PipelineSettings,
): readonly PolicyStatement[] {
  if (poll.behind.reaction === 'ignore') return [];
  const partitions = consumers.map((consumer) => `checkpoint#${name}#${consumer.name}`);
  return [ownState(scope, stage, partitions, ['dynamodb:Query'])];
}

function readSecret(scope: Construct, stage: string, secret: string): PolicyStatement {
  return allow('secretsmanager:GetSecretValue', secretArn(scope, secretName(stage, secret)));
}

/** A refresh token is replaced by whoever has the turn. */
function replaceSecret(scope: Construct, stage: string, secret: string): PolicyStatement[] {
  const name = secretName(stage, secret);
  return [
    new PolicyStatement({
      actions: ['secretsmanager:PutSecretValue', 'secretsmanager:UpdateSecretVersionStage'],
      resources: [secretArn(scope, name)],
    }),
    ownState(scope, stage, [`turn#${name}`], ['dynamodb:UpdateItem']),
  ];
}

function allow(action: string, resource: string): PolicyStatement {
  return new PolicyStatement({ actions: [action], resources: [resource] });
}

/** The state table is everyone's; its items are each one's own. */
function ownState(
  scope: Construct,
  stage: string,
  partitions: readonly string[],
  actions: readonly string[],
): PolicyStatement {
  return new PolicyStatement({
    actions: [...actions],
    resources: [tableArn(scope, stageNames(stage).stateTable)],
    conditions: { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': [...partitions] } },
  });
}

/** What notes the keys of a source does so in a bucket of its own. */
function useLedgers(stage: string, { name, source }: PipelineSettings): readonly PolicyStatement[] {
  if (!keepsLedger(source)) return [];
  const bucket = bucketName(pipelineNames(stage, name).ledgerBucketPrefix);
  return [
    new PolicyStatement({
      actions: ['s3:GetObject', 's3:PutObject', 's3:DeleteObject'],
      resources: [bucketArn(bucket, '*')],
    }),
    allow('s3:ListBucket', bucketArn(bucket)),
  ];
}

function quarantineObjects(stage: string, settings: PipelineSettings, of: string): string {
  const { quarantineBucketPrefix } = pipelineNames(stage, settings.name);
  return bucketArn(bucketName(quarantineBucketPrefix), `${of}/*`);
}

/** The AWS-managed key needs no right; a key of the user's does. */
function useKey(action: string, { stream }: PipelineSettings): readonly PolicyStatement[] {
  return stream.kmsKeyArn === undefined ? [] : [allow(action, stream.kmsKeyArn)];
}
