import { Stack } from 'aws-cdk-lib';
import type { RemovalPolicy, StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { AlarmTopic } from '#infra/constructs/alarm-topic';
import { PipelineTable } from '#infra/constructs/pipeline-table';

export interface SharedStackProps extends StackProps {
  readonly stateTableName: string;
  readonly alarmTopicName: string;
  readonly alarmEmail: string | undefined;
  /** What becomes of data when the stack is deleted. */
  readonly dataRemoval: RemovalPolicy;
}

/** What all pipelines of a stage share: the table of cursors, leases and checkpoints; the alarms' topic. */
export class SharedStack extends Stack {
  constructor(scope: Construct, id: string, props: SharedStackProps) {
    super(scope, id, props);
    new PipelineTable(this, 'State', {
      tableName: props.stateTableName,
      keyNames: ['pk', 'sk'],
      expiresAttribute: 'expires',
      removalPolicy: props.dataRemoval,
    });
    new AlarmTopic(this, 'Alarms', { topicName: props.alarmTopicName, email: props.alarmEmail });
  }
}
