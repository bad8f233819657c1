/** What a tick gives the function, and what is left of one that came to nothing. */
import { RETRY_POLICY } from './schedule.ts';
import type { Schedule } from './schedule.ts';

/** @source EventBridge Scheduler User Guide, Adding context attributes. */
export function tickPayload(
  { arn, input }: Schedule,
  scheduledMs: number,
  executionId: string,
): string {
  const time = isoSeconds(scheduledMs);
  if (input === undefined) {
    return JSON.stringify({
      version: '0',
      id: executionId,
      'detail-type': 'Scheduled Event',
      source: 'aws.scheduler',
      account: arn.split(':')[4] ?? '',
      time,
      region: arn.split(':')[3] ?? '',
      resources: [arn],
      detail: '{}',
    });
  }
  return input
    .replaceAll('<aws.scheduler.schedule-arn>', arn)
    .replaceAll('<aws.scheduler.scheduled-time>', time)
    .replaceAll('<aws.scheduler.execution-id>', executionId)
    .replaceAll('<aws.scheduler.attempt-number>', '1');
}

/** @source EventBridge Scheduler User Guide, "Configuring a dead-letter queue": the attributes. */
export function deadLetterAttributes(
  { arn, functionName, retry = RETRY_POLICY }: Schedule,
  scheduledMs: number,
  executionId: string,
): Readonly<Record<string, unknown>> {
  const text = (StringValue: string) => ({ DataType: 'String', StringValue });
  const [, partition, , region, account] = arn.split(':');
  return {
    ERROR_CODE: text('AWS.Scheduler.InternalServerError'),
    ERROR_MESSAGE: text('The function could not be called.'),
    EXECUTION_ID: text(executionId),
    EXHAUSTED_RETRY_CONDITION: text('MaximumRetryAttempts'),
    IS_PAYLOAD_TRUNCATED: text('false'),
    RETRY_ATTEMPTS: { DataType: 'Number', StringValue: String(retry.attemptsMax) },
    SCHEDULED_TIME: text(isoSeconds(scheduledMs)),
    SCHEDULE_ARN: text(arn),
    TARGET_ARN: text(`arn:${partition}:lambda:${region}:${account}:function:${functionName}`),
  };
}

function isoSeconds(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d{3}Z$/, 'Z');
}
