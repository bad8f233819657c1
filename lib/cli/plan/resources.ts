/** Everything that a deployment of a pipeline makes, by name. */
import { keepsLedger } from '#config/keeps-ledger';
import type { ConsumerSettings, PipelineSettings } from '#config/pipeline-settings';
import { requiredSecrets } from '#config/required-settings';
import {
  bucketName,
  consumerNames,
  pipelineNames,
  secretName,
  stageNames,
} from '#config/resource-names';

export interface ResourceGroup {
  readonly kind: string;
  readonly names: readonly string[];
}

const ELSEWHERE = { account: '<account>' };

/** What a stage's pipelines share; made once. */
export function sharedResources(stage: string): readonly ResourceGroup[] {
  const { sharedStack, stateTable, alarmTopic } = stageNames(stage);
  return [
    { kind: 'stack', names: [sharedStack] },
    { kind: 'table', names: [stateTable] },
    { kind: 'topic', names: [alarmTopic] },
  ];
}

/** @param alarms Their names. */
export function pipelineResources(
  place: { readonly stage: string; readonly region: string },
  { name, consumers, source }: PipelineSettings,
  alarms: readonly string[],
): readonly ResourceGroup[] {
  const { stage, region } = place;
  const names = pipelineNames(stage, name);
  const namesOf = (consumer: ConsumerSettings) => consumerNames(stage, name, consumer.name);
  const functions = [
    names.pollFunction,
    ...consumers.map((one) => namesOf(one).function),
    names.recoverFunction,
  ];
  const tables = consumers.filter(({ kind }) => kind === 'table');
  const secrets = requiredSecrets({ source, consumers });
  return [
    { kind: 'stacks', names: [names.dataStack, names.runStack] },
    { kind: 'stream', names: [names.stream] },
    ...(tables.length > 0
      ? [{ kind: 'tables', names: tables.map((one) => namesOf(one).table) }]
      : []),
    {
      kind: 'bucket',
      names: [bucketName(names.quarantineBucketPrefix, { ...ELSEWHERE, region })],
    },
    ...(keepsLedger(source)
      ? [
          {
            kind: 'ledgers',
            names: [bucketName(names.ledgerBucketPrefix, { ...ELSEWHERE, region })],
          },
        ]
      : []),
    ...(secrets.length > 0
      ? [
          {
            kind: secrets.length > 1 ? 'secrets' : 'secret',
            names: secrets.map((secret) => secretName(stage, secret)),
          },
        ]
      : []),
    { kind: 'functions', names: functions },
    { kind: 'log groups', names: functions.map((fn) => `/aws/lambda/${fn}`) },
    {
      kind: 'schedules',
      names: [`${names.scheduleGroup}/${names.schedule}`, `default/${names.recoverFunction}`],
    },
    { kind: 'alarms', names: alarms },
    { kind: 'dashboard', names: [names.dashboard] },
  ];
}
