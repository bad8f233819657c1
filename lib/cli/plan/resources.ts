/** Everything that a deployment of a pipeline makes, by name. */
import type { PipelineSettings } from '#config/pipeline-settings';
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
  const made = consumers.map((consumer) => consumerNames(stage, name, consumer.name));
  const functions = [names.pollFunction, ...made.map((consumer) => consumer.function)];
  const { auth } = source;
  return [
    { kind: 'stacks', names: [names.dataStack, names.runStack] },
    { kind: 'stream', names: [names.stream] },
    { kind: 'tables', names: made.map(({ table }) => table) },
    {
      kind: 'bucket',
      names: [bucketName(names.quarantineBucketPrefix, { ...ELSEWHERE, region })],
    },
    ...(auth.kind === 'bearer'
      ? [{ kind: 'secret', names: [secretName(stage, auth.secret)] }]
      : []),
    { kind: 'functions', names: functions },
    { kind: 'log groups', names: functions.map((fn) => `/aws/lambda/${fn}`) },
    { kind: 'schedule', names: [`${names.scheduleGroup}/${names.schedule}`] },
    { kind: 'alarms', names: alarms },
    { kind: 'dashboard', names: [names.dashboard] },
  ];
}
