/** CloudWatch Logs as far as reading goes: FilterLogEvents and DescribeLogGroups, over its wire protocol. */
import { answerJson, ServiceError } from '#local/aws-json';
import type { JsonInput, JsonProtocol } from '#local/aws-json';
import type { Clock, NewId, WireHandler } from '#local/contracts';
import { arn } from '#local/template/arns';
import { logGroups } from './log-groups.ts';
import type { KeptLine, LogGroup, LogGroups } from './log-groups.ts';

export interface Logs extends WireHandler {
  /** The prefix of `x-amz-target` that this emulator answers. */
  readonly target: string;
  /** Makes the group of a function that wrote nothing yet. */
  addFunction(functionName: string): void;
  /** A function wrote a line: it is in the group of the function's name. */
  write(line: { readonly functionName: string; readonly line: string }): void;
}

/** Of one group; beyond it the oldest are forgotten. */
const LINES_MAX = 10_000;

/** @source CloudWatch Logs API 2014-03-28, FilterLogEvents: 10,000 events a page, the default too. */
const PAGE_MAX = 10_000;
const ID_DIGITS = 56;

/** Keep what functions write, by the cloud's clock. */
export function createLogs({
  clock,
  newId,
  linesMax = LINES_MAX,
}: {
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly newId?: NewId;
  readonly linesMax?: number;
}): Logs {
  const groups = logGroups(linesMax);
  const protocol: JsonProtocol = {
    version: '1.1',
    operations: {
      FilterLogEvents: (input) => filterLogEvents(groups, input),
      DescribeLogGroups: (input) => describeLogGroups(groups, input),
    },
    errorNamespace: () => '',
    checksum: 'none',
    newId,
  };
  return {
    target: 'Logs_20140328',
    handle: async (request) => answerJson(protocol, request),
    addFunction: (functionName) => groups.create(groupOf(functionName), clock.nowMs()),
    write({ functionName, line }) {
      const timestampMs = clock.nowMs();
      const day = new Date(timestampMs).toISOString().slice(0, 10).replaceAll('-', '/');
      const streamName = `${day}/[$LATEST]local`;
      groups.add(groupOf(functionName), { streamName, timestampMs, message: line });
    },
  };
}

const groupOf = (functionName: string): string => `/aws/lambda/${functionName}`;

function filterLogEvents(groups: LogGroups, input: JsonInput): object {
  refuseUnknown(input, ['logGroupName', 'startTime', 'endTime', 'limit', 'nextToken']);
  const { startTime = 0, endTime = Infinity, limit = PAGE_MAX, nextToken = '0' } = input;
  const name = String(input['logGroupName']);
  const group = groups.find(name);
  if (group === undefined) {
    throw new ServiceError('ResourceNotFoundException', 'The specified log group does not exist.');
  }
  const from = Number(nextToken);
  if (!Number.isSafeInteger(from)) {
    throw new ServiceError('InvalidParameterException', 'The specified nextToken is invalid.');
  }
  const found = group.lines.filter(
    ({ id, timestampMs }) =>
      id > from && timestampMs >= Number(startTime) && timestampMs <= Number(endTime),
  );
  const page = found.slice(0, Math.min(Number(limit), PAGE_MAX));
  const last = page.at(-1);
  return {
    events: page.map(toEvent),
    searchedLogStreams: [],
    ...(found.length > page.length && last ? { nextToken: String(last.id) } : {}),
  };
}

function toEvent({ id, streamName, timestampMs, message }: KeptLine): object {
  return {
    logStreamName: streamName,
    timestamp: timestampMs,
    message: `${message}\n`,
    ingestionTime: timestampMs,
    eventId: String(id).padStart(ID_DIGITS, '0'),
  };
}

function describeLogGroups(groups: LogGroups, input: JsonInput): object {
  refuseUnknown(input, ['logGroupNamePrefix', 'limit']);
  const prefix = String(input['logGroupNamePrefix'] ?? '');
  const found = groups.all().filter(({ name }) => name.startsWith(prefix));
  return { logGroups: found.map(describe) };
}

function describe({ name, createdMs }: LogGroup): object {
  const logGroupArn = arn('logs', `log-group:${name}`);
  return { logGroupName: name, creationTime: createdMs, arn: `${logGroupArn}:*`, logGroupArn };
}

function refuseUnknown(input: JsonInput, known: readonly string[]): void {
  const unknown = Object.keys(input).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new ServiceError('InvalidParameterException', `emulator limit: no parameter ${unknown}`);
}
