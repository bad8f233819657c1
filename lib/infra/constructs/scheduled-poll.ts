import { CfnScheduleGroup } from 'aws-cdk-lib/aws-scheduler';
import { Construct } from 'constructs';
import type { ScheduleSettings } from '#config/pipeline-settings';
import { addSchedule } from './function-schedule.ts';
import { PipelineFunction } from './pipeline-function.ts';
import type { PipelineFunctionProps } from './pipeline-function.ts';

export interface ScheduledPollProps {
  readonly scheduleName: string;
  /** Of the schedule alone: the scheduler counts by group. */
  readonly groupName: string;
  readonly schedule: ScheduleSettings;
  readonly poll: PipelineFunctionProps;
}

/** A function that is started on a schedule, never twice for one failed tick. */
export class ScheduledPoll extends Construct {
  constructor(scope: Construct, id: string, props: ScheduledPollProps) {
    super(scope, id);
    const { fn } = new PipelineFunction(this, 'Poll', props.poll);
    const group = new CfnScheduleGroup(this, 'ScheduleGroup', { name: props.groupName });
    const { scheduleName, schedule } = props;
    addSchedule(this, { scheduleName, groupName: group.ref, schedule, fn });
  }
}
