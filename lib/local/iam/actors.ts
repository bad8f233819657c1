/** Who acts in the cloud: functions' processes, Lambda for each function, and schedules. */
import { arn } from '#local/template/arns';
import type { PlannedResource } from '#local/template/plan-resources';
import type { Properties } from '#local/template/resource-type';
import type { Caller } from './caller.ts';
import type { Call } from './decide.ts';

export interface FunctionActor {
  /** What its process does. */
  readonly process: Caller;
  /** What Lambda does with the function's role: reads its streams, keeps its lines and failures. */
  readonly lambda: Caller;
  /** What keeping a line needs. */
  readonly logCalls: readonly Call[];
}

export interface ScheduleActor {
  readonly caller: Caller;
  readonly tickCall: Call;
}

export interface Actors {
  readonly functions: ReadonlyMap<string, FunctionActor>;
  readonly schedules: ReadonlyMap<string, ScheduleActor>;
}

/** @param asRole answers a caller, or undefined when there is no such role. */
export function readActors(
  planned: readonly PlannedResource[],
  asRole: (name: string, resource: PlannedResource, roleArn: unknown) => Caller | undefined,
): Actors {
  const functions = new Map<string, FunctionActor>();
  const schedules = new Map<string, ScheduleActor>();
  for (const resource of planned) {
    const { type, name, properties } = resource;
    if (type === 'AWS::Lambda::Function') {
      const process = asRole(`function ${name}`, resource, properties['Role']);
      const lambda = asRole(`Lambda for ${name}`, resource, properties['Role']);
      if (process === undefined || lambda === undefined) continue;
      functions.set(name, { process, lambda, logCalls: logCallsOf(resource) });
    } else if (type === 'AWS::Scheduler::Schedule') {
      const { Arn, RoleArn } = properties['Target'] as Properties;
      const caller = asRole(`schedule ${name}`, resource, RoleArn);
      if (caller === undefined) continue;
      const tickCall = { action: 'lambda:InvokeFunction', resource: String(Arn) };
      schedules.set(name, { caller, tickCall });
    }
  }
  return { functions, schedules };
}

/** A log stream's name is a day and a number; policies name groups. */
const LOG_STREAM = '2026/01/01/[$LATEST]00000000000000000000000000000000';

function logCallsOf({ name, properties }: PlannedResource): readonly Call[] {
  const { LogGroup } = (properties['LoggingConfig'] ?? {}) as Properties;
  const streams = arn('logs', `log-group:${String(LogGroup ?? `/aws/lambda/${name}`)}:log-stream:`);
  return [
    { action: 'logs:CreateLogStream', resource: streams },
    { action: 'logs:PutLogEvents', resource: streams + LOG_STREAM },
  ];
}
