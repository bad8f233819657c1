import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Stack } from 'aws-cdk-lib';
import type { StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { keepsLedger } from '#config/keeps-ledger';
import type { ConsumerSettings, PipelineSettings, TextOrSetting } from '#config/pipeline-settings';
import { authSecret, isSetting, requiredSettings } from '#config/required-settings';
import {
  alarmName,
  consumerNames,
  pipelineNames,
  secretName,
  stageNames,
} from '#config/resource-names';
import { planAlarms } from '#infra/alarms/plan-alarms';
import { PipelineAlarms } from '#infra/constructs/pipeline-alarms';
import { PipelineDashboard } from '#infra/constructs/pipeline-dashboard';
import { planDashboard } from '#infra/dashboard/plan-dashboard';
import { ScheduledPoll } from '#infra/constructs/scheduled-poll';
import { ScheduledRecovery } from '#infra/constructs/scheduled-recovery';
import { SettingsParameters } from '#infra/constructs/settings-parameters';
import { StreamConsumer } from '#infra/constructs/stream-consumer';
import { consumeRights, pollRights } from '#infra/function-rights';
import { bucketName, topicArn } from '#infra/resource-arns';

export interface RunStackProps extends StackProps {
  readonly stage: string;
  readonly settings: PipelineSettings;
  /** Folders of the functions' bundles, by function name. */
  readonly bundles: ReadonlyMap<string, string>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** One poll at a time by Lambda's own count, beside the lease. */
  readonly reserveConcurrency: boolean;
}

/** What a pipeline runs: its functions, their schedule and mappings. Nothing here holds data. */
export class RunStack extends Stack {
  private readonly props: RunStackProps;
  /** Environment variables of every function of the pipeline. */
  private readonly common: Readonly<Record<string, string>>;
  /** Parameters that carry the pipeline's settings, by environment variable. */
  private readonly variables: Readonly<Record<string, string>>;

  constructor(scope: Construct, id: string, props: RunStackProps) {
    super(scope, id, props);
    this.props = props;
    const names = pipelineNames(props.stage, props.settings.name);
    this.common = {
      PENSTOCK_STATE_TABLE: stageNames(props.stage).stateTable,
      PENSTOCK_QUARANTINE_BUCKET: bucketName(names.quarantineBucketPrefix),
      POWERTOOLS_METRICS_NAMESPACE: 'Penstock',
      POWERTOOLS_LOG_LEVEL: 'INFO',
    };
    this.variables = new SettingsParameters(this, 'Settings', {
      settings: requiredSettings(props.settings),
      environment: props.environment,
    }).variables;
    this.addPoll();
    const mappingIds = new Map(
      props.settings.consumers.map((consumer) => [consumer.name, this.addConsumer(consumer)]),
    );
    new ScheduledRecovery(this, 'Recovery', {
      stage: props.stage,
      settings: props.settings,
      bundle: this.bundleOf(names.recoverFunction),
      environment: this.common,
    });
    this.addAlarms(mappingIds);
  }

  private addPoll(): void {
    const { stage, settings, reserveConcurrency } = this.props;
    const names = pipelineNames(stage, settings.name);
    const secret = authSecret(settings.source.auth);
    new ScheduledPoll(this, 'Poll', {
      scheduleName: names.schedule,
      groupName: names.scheduleGroup,
      schedule: settings.schedule,
      poll: {
        functionName: names.pollFunction,
        description: `Polls the source of ${settings.name} and publishes what changed.`,
        bundle: this.bundleOf(names.pollFunction),
        ...settings.poll,
        environment: {
          ...this.common,
          PENSTOCK_STREAM: names.stream,
          POWERTOOLS_SERVICE_NAME: `${settings.name}-poll`,
          ...(secret === undefined ? {} : { PENSTOCK_SECRET: secretName(stage, secret) }),
          ...(keepsLedger(settings.source)
            ? { PENSTOCK_LEDGER_BUCKET: bucketName(names.ledgerBucketPrefix) }
            : {}),
          ...this.sourceVariables(),
        },
        allow: pollRights(this, stage, settings),
        reservedConcurrency: reserveConcurrency ? 1 : undefined,
      },
    });
  }

  private sourceVariables(): Readonly<Record<string, string>> {
    const { source } = this.props.settings;
    const settings = requiredSettings({ source, consumers: [] });
    return Object.fromEntries(settings.map((setting) => [setting.env, this.textOf(setting)]));
  }

  /** What a consumer of its kind is told beside the rest. */
  private variablesOf(consumer: ConsumerSettings): Readonly<Record<string, string>> {
    const { stage, settings } = this.props;
    if (consumer.kind === 'table') {
      return { PENSTOCK_TABLE: consumerNames(stage, settings.name, consumer.name).table };
    }
    const own = Object.entries(consumer.environment);
    return {
      ...(consumer.secrets.length > 0 ? { PENSTOCK_SECRET_PREFIX: secretName(stage, '') } : {}),
      ...Object.fromEntries(own.map(([name, text]) => [name, this.textOf(text)])),
    };
  }

  /** A text as it is, or the parameter that carries a setting. */
  private textOf(text: TextOrSetting): string {
    return isSetting(text) ? (this.variables[text.env] ?? '') : text;
  }

  /** The id of the consumer's mapping. */
  private addConsumer(consumer: ConsumerSettings): string {
    const { stage, settings } = this.props;
    const names = pipelineNames(stage, settings.name);
    const own = consumerNames(stage, settings.name, consumer.name);
    const { mappingId } = new StreamConsumer(this, `Consumer-${consumer.name}`, {
      streamName: names.stream,
      quarantineBucketName: bucketName(names.quarantineBucketPrefix),
      settings: consumer,
      consume: {
        functionName: own.function,
        description:
          consumer.kind === 'table'
            ? `Keeps the newest version of each record of ${settings.name} in ${own.table}.`
            : `Handles each record of ${settings.name} by ${consumer.file}.`,
        bundle: this.bundleOf(own.function),
        memoryMb: consumer.memoryMb,
        timeoutSec: consumer.timeoutSec,
        environment: {
          ...this.common,
          POWERTOOLS_SERVICE_NAME: `${settings.name}-${consumer.name}`,
          PENSTOCK_CODE: codeIn(this.bundleOf(own.function)),
          ...this.variablesOf(consumer),
        },
        allow: consumeRights(this, { stage, settings, consumer }),
      },
    });
    return mappingId;
  }

  private addAlarms(mappingIds: ReadonlyMap<string, string>): void {
    const { stage, settings } = this.props;
    const alarms = new PipelineAlarms(this, 'Alarms', {
      alarms: planAlarms(stage, settings),
      nameOf: (id) => alarmName(stage, settings.name, id),
      topicArn: topicArn(this, stageNames(stage).alarmTopic),
      mappingIds,
    });
    new PipelineDashboard(this, 'Dashboard', {
      dashboardName: pipelineNames(stage, settings.name).dashboard,
      alarmArns: alarms.arns,
      graphs: planDashboard(stage, settings),
    });
  }

  private bundleOf(functionName: string): string {
    const folder = this.props.bundles.get(functionName);
    if (folder === undefined) throw new Error(`${functionName} has no bundle`);
    return folder;
  }
}

/** Names what is in a bundle: the same code has the same name on every machine. */
function codeIn(bundle: string): string {
  const bytes = readFileSync(join(bundle, 'index.mjs'));
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16);
}
