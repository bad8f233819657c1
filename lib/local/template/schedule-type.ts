/** Schedules of EventBridge Scheduler. */
import { arn } from './arns.ts';
import { refuseDeadLetters } from './queue-type.ts';
import { named } from './resource-type.ts';
import type { Properties, ResourceType } from './resource-type.ts';

export const SCHEDULE_TYPE: ResourceType = {
  implemented: [
    'Name',
    'GroupName',
    'ScheduleExpression',
    'ScheduleExpressionTimezone',
    'StartDate',
    'EndDate',
    'State',
    'FlexibleTimeWindow.Mode',
    'FlexibleTimeWindow.MaximumWindowInMinutes',
    'Target.Arn',
    'Target.Input',
    'Target.RoleArn',
    'Target.RetryPolicy.MaximumRetryAttempts',
    'Target.RetryPolicy.MaximumEventAgeInSeconds',
    'Target.DeadLetterConfig.Arn',
  ],
  inert: ['Description', 'KmsKeyArn'],
  nameProperty: 'Name',
  identify: named((name) => arn('scheduler', `schedule/default/${name}`)),
  refuse({ Target }) {
    const { Arn, DeadLetterConfig } = (Target ?? {}) as Properties;
    return [
      ...(/^arn:aws:lambda:[^:]*:[^:]*:function:/.test(String(Arn))
        ? []
        : [`target ${String(Arn)} is not a Lambda function`]),
      ...refuseDeadLetters(DeadLetterConfig),
    ];
  },
};
