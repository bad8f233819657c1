/** EventBridge Scheduler's operations on schedules over its wire protocol. */
import { jsonObjectIn } from '#local/aws-json';
import type { WireHandler, WireRequest, WireResponse } from '#local/contracts';
import { decoded, functionArn } from '#local/function-id';
import { ScheduleExpressionError } from './cron-fields.ts';
import { RETRY_POLICY, readSchedule } from './schedule.ts';
import type { Schedule } from './schedule.ts';
import type { KnownSchedule } from './scheduler.ts';

const PATH = /^\/schedules(?:\/([^/]+))?\/?$/;

/** @source EventBridge Scheduler API 2021-06-30, ListSchedules, MaxResults. */
const PAGE_MAX = 100;

export interface SchedulerCall {
  readonly operation: string;
  /** Empty where it is of all schedules. */
  readonly name: string;
  readonly group: string;
}

/** By the service that the client signs for: the path alone may be a bucket's. */
export function isSchedulerRequest({
  headers,
  path,
}: Pick<WireRequest, 'headers' | 'path'>): boolean {
  return (
    /^\/(schedules|schedule-groups|tags)(\/|$)/.test(path) &&
    /\/scheduler\/aws4_request/.test(headers['authorization'] ?? '')
  );
}

/** Undefined: the local cloud does not serve it. */
export function schedulerCall({ method, path, query }: WireRequest): SchedulerCall | undefined {
  const [whole, encoded = ''] = PATH.exec(path) ?? [];
  if (whole === undefined) return undefined;
  const name = decoded(encoded);
  const operation =
    name === ''
      ? { GET: 'ListSchedules' }[method]
      : {
          GET: 'GetSchedule',
          PUT: 'UpdateSchedule',
          DELETE: 'DeleteSchedule',
          POST: 'CreateSchedule',
        }[method];
  if (operation === undefined) return undefined;
  return { operation, name, group: query.get('groupName') ?? 'default' };
}

export interface SchedulerApiDeps {
  list(): readonly KnownSchedule[];
  /** @throws {ScheduleExpressionError} */
  update(schedule: Schedule): void;
  remove(name: string): void;
}

export function createSchedulerApi(deps: SchedulerApiDeps): WireHandler {
  return {
    async handle(request) {
      const call = schedulerCall(request);
      if (call === undefined || call.operation === 'CreateSchedule') {
        const what = call === undefined ? `${request.method} of ${request.path}` : call.operation;
        return failure(400, 'ValidationException', `emulator limit: no ${what}`);
      }
      if (call.operation === 'ListSchedules') return listed(deps, request);
      const known = deps
        .list()
        .find(({ schedule }) => schedule.name === call.name && groupOf(schedule) === call.group);
      if (known === undefined) {
        return failure(404, 'ResourceNotFoundException', `Schedule ${call.name} does not exist.`);
      }
      switch (call.operation) {
        case 'GetSchedule':
          return json(described(known));
        case 'DeleteSchedule':
          deps.remove(call.name);
          return json({});
        default:
          return updated(deps, known, request);
      }
    },
  };
}

const MEMBERS = [
  'ClientToken',
  'Description',
  'EndDate',
  'FlexibleTimeWindow',
  'GroupName',
  'KmsKeyArn',
  'Name',
  'ScheduleExpression',
  'ScheduleExpressionTimezone',
  'StartDate',
  'State',
  'Target',
];

/** All of a schedule is replaced: what the request leaves out has its default. */
function updated(
  { update }: SchedulerApiDeps,
  { schedule }: KnownSchedule,
  { body }: WireRequest,
): WireResponse {
  const input = jsonObjectIn(body) ?? {};
  const unknown = Object.keys(input).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined) {
    return failure(
      400,
      'ValidationException',
      `emulator limit: parameter ${unknown} is not supported`,
    );
  }
  try {
    const next = readSchedule(input, schedule.name, schedule.arn);
    if (next.functionName !== schedule.functionName) {
      throw new ScheduleExpressionError('emulator limit: Target.Arn cannot be changed.');
    }
    update(next);
    return json({ ScheduleArn: schedule.arn });
  } catch (error) {
    if (!(error instanceof ScheduleExpressionError)) throw error;
    return failure(400, 'ValidationException', error.message);
  }
}

function listed({ list }: SchedulerApiDeps, { query }: WireRequest): WireResponse {
  const group = query.get('ScheduleGroup');
  const prefix = query.get('NamePrefix') ?? '';
  const state = query.get('State');
  const countMax = Number(query.get('MaxResults') ?? PAGE_MAX);
  if (!Number.isInteger(countMax) || countMax < 1 || countMax > PAGE_MAX) {
    return failure(400, 'ValidationException', `MaxResults must be 1 to ${PAGE_MAX}`);
  }
  const after = Buffer.from(query.get('NextToken') ?? '', 'base64').toString();
  const left = list()
    .filter(({ schedule }) => schedule.name.startsWith(prefix) && schedule.name > after)
    .filter(({ schedule }) => group === null || groupOf(schedule) === group)
    .filter(({ schedule }) => state === null || stateOf(schedule) === state)
    .sort((one, other) => (one.schedule.name < other.schedule.name ? -1 : 1));
  const page = left.slice(0, countMax);
  const last = page.at(-1);
  return json({
    Schedules: page.map((known) => {
      const { Arn, Name, GroupName, State, CreationDate, LastModificationDate, Target } =
        described(known);
      return {
        Arn,
        Name,
        GroupName,
        State,
        CreationDate,
        LastModificationDate,
        Target: { Arn: Target.Arn },
      };
    }),
    ...(last !== undefined && page.length < left.length
      ? { NextToken: Buffer.from(last.schedule.name).toString('base64') }
      : {}),
  });
}

function described({ schedule, createdMs, modifiedMs }: KnownSchedule) {
  const { arn, name, expression, zone, startMs, endMs, flexibleMinutes, input } = schedule;
  const { retry = RETRY_POLICY, deadLetterArn, functionName } = schedule;
  return {
    Arn: arn,
    Name: name,
    GroupName: groupOf(schedule),
    State: stateOf(schedule),
    ScheduleExpression: expression,
    ScheduleExpressionTimezone: zone,
    CreationDate: createdMs / 1_000,
    LastModificationDate: modifiedMs / 1_000,
    ...(startMs === undefined ? {} : { StartDate: startMs / 1_000 }),
    ...(endMs === undefined ? {} : { EndDate: endMs / 1_000 }),
    FlexibleTimeWindow:
      flexibleMinutes === undefined
        ? { Mode: 'OFF' }
        : { Mode: 'FLEXIBLE', MaximumWindowInMinutes: flexibleMinutes },
    Target: {
      Arn: functionArn(functionName),
      ...(input === undefined ? {} : { Input: input }),
      RetryPolicy: {
        MaximumRetryAttempts: retry.attemptsMax,
        MaximumEventAgeInSeconds: retry.ageMaxSec,
      },
      ...(deadLetterArn === undefined ? {} : { DeadLetterConfig: { Arn: deadLetterArn } }),
    },
  };
}

function groupOf({ arn }: Schedule): string {
  return arn.split('/')[1] ?? 'default';
}

function stateOf({ enabled }: Schedule): string {
  return enabled ? 'ENABLED' : 'DISABLED';
}

function json(body: object): WireResponse {
  const headers = { 'content-type': 'application/json' };
  return { status: 200, headers, body: JSON.stringify(body) };
}

function failure(status: number, code: string, Message: string): WireResponse {
  const headers = { 'content-type': 'application/json', 'x-amzn-errortype': code };
  return { status, headers, body: JSON.stringify({ Message }) };
}
