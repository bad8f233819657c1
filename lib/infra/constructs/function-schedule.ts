import { Aws } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnEventInvokeConfig } from 'aws-cdk-lib/aws-lambda';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import type { Construct } from 'constructs';
import type { ScheduleSettings } from '#config/pipeline-settings';

export interface FunctionScheduleProps {
  readonly scheduleName: string;
  /** Default: the account's own. */
  readonly groupName?: string;
  readonly schedule: ScheduleSettings;
  readonly fn: IFunction;
}

/**
 * How old a tick may grow before it is dropped, in seconds: the next does its work as well.
 *
 * @source EventBridge Scheduler and Lambda, event age: 60 at least.
 */
const TICK_AGE_MAX_SEC = 60;
/** Tries to hand a tick over, beyond the first. */
const TICK_RETRIES = 2;

/** Start a function on a schedule, never twice for one failed tick. */
export function addSchedule(
  scope: Construct,
  { scheduleName, groupName, schedule, fn }: FunctionScheduleProps,
): void {
  // Lambda takes ticks asynchronously and would, left alone, run a failed one twice more.
  new CfnEventInvokeConfig(scope, 'InvokeConfig', {
    functionName: fn.functionName,
    qualifier: '$LATEST',
    maximumRetryAttempts: 0,
    maximumEventAgeInSeconds: TICK_AGE_MAX_SEC,
  });
  const role = new Role(scope, 'ScheduleRole', {
    assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
      conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
    }),
    inlinePolicies: {
      only: new PolicyDocument({
        statements: [
          new PolicyStatement({
            actions: ['lambda:InvokeFunction'],
            resources: [fn.functionArn],
          }),
        ],
      }),
    },
  });
  new CfnSchedule(scope, 'Schedule', {
    name: scheduleName,
    ...(groupName === undefined ? {} : { groupName }),
    ...expressionOf(schedule),
    flexibleTimeWindow: { mode: 'OFF' },
    state: 'ENABLED',
    target: {
      arn: fn.functionArn,
      roleArn: role.roleArn,
      retryPolicy: {
        maximumRetryAttempts: TICK_RETRIES,
        maximumEventAgeInSeconds: TICK_AGE_MAX_SEC,
      },
    },
  });
}

/** @source EventBridge Scheduler, schedule types: `rate(1 minute)`, `rate(5 minutes)`, `cron(…)`. */
function expressionOf(schedule: ScheduleSettings) {
  if ('cron' in schedule) {
    return {
      scheduleExpression: `cron(${schedule.cron})`,
      scheduleExpressionTimezone: schedule.timeZone,
    };
  }
  const { everyMinutes } = schedule;
  const unit = everyMinutes === 1 ? 'minute' : 'minutes';
  return { scheduleExpression: `rate(${everyMinutes} ${unit})`, scheduleExpressionTimezone: 'UTC' };
}
