/** EventBridge rules that tick: what a template says of them, and the schedules that they are. */
import type { Schedule } from '#local/emulators/scheduler/schedule';
import { ACCOUNT_ID, arn, REGION } from './arns.ts';
import type { Properties, ResourceType } from './resource-type.ts';
import { named } from './resource-type.ts';

interface Target {
  readonly Id?: string;
  readonly Arn?: unknown;
  readonly Input?: string;
}

export const RULE_TYPE: ResourceType = {
  implemented: [
    'Name',
    'ScheduleExpression',
    'State',
    'Targets.Id',
    'Targets.Arn',
    'Targets.Input',
  ],
  // The call that hands the event over does not fail here; whom a rule may call, its function says.
  inert: ['Description', 'Tags', 'Targets.RetryPolicy', 'Targets.DeadLetterConfig'],
  nameProperty: 'Name',
  identify: named((name) => arn('events', `rule/${name}`)),
  refuse: ({ ScheduleExpression, Targets }) => [
    ...(ScheduleExpression === undefined ? ['a rule without a schedule is not supported'] : []),
    ...targetsIn(Targets)
      .filter(({ Arn }) => !/^arn:aws:lambda:[^:]*:[^:]*:function:/.test(String(Arn)))
      .map(({ Arn }) => `target ${String(Arn)} is not a Lambda function`),
  ],
};

/** One for each target; where there are several, they are told apart by their ids. */
export function schedulesOfRule(
  name: string,
  ruleArn: string,
  { ScheduleExpression, State, Targets }: Properties,
): readonly Schedule[] {
  const targets = targetsIn(Targets);
  return targets.map(({ Id, Arn, Input }) => ({
    name: targets.length === 1 ? name : `${name}/${Id}`,
    arn: ruleArn,
    expression: String(ScheduleExpression),
    zone: 'UTC',
    enabled: State !== 'DISABLED',
    functionName: String(Arn).replace(/^.*:function:/, ''),
    input: Input ?? eventOf(ruleArn),
  }));
}

/**
 * @source EventBridge User Guide, "Creating a rule that runs on a schedule": the event of a tick.
 */
function eventOf(ruleArn: string): string {
  return JSON.stringify({
    version: '0',
    id: '<aws.scheduler.execution-id>',
    'detail-type': 'Scheduled Event',
    source: 'aws.events',
    account: ACCOUNT_ID,
    time: '<aws.scheduler.scheduled-time>',
    region: REGION,
    resources: [ruleArn],
    detail: {},
  });
}

function targetsIn(targets: unknown): readonly Target[] {
  return Array.isArray(targets) ? (targets as readonly Target[]) : [];
}
