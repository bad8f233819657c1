/** The refusals of SQS, in its words. */
import { ServiceError } from '#local/aws-json';

/** @source SQS API 2012-11-05, "Common errors" and each action's errors, as the JSON protocol names them. */
export function refused(code: string, message: string): ServiceError {
  return new ServiceError(code, message);
}

export function noQueue(): ServiceError {
  return refused('QueueDoesNotExist', 'The specified queue does not exist.');
}

export function missing(parameter: string): ServiceError {
  return refused('MissingParameter', `The request must contain the parameter ${parameter}.`);
}

export function invalidValue(value: unknown, parameter: string, reason: string): ServiceError {
  const shown = typeof value === 'string' ? value : JSON.stringify(value);
  return refused(
    'InvalidParameterValue',
    `Value ${shown} for parameter ${parameter} is invalid. Reason: ${reason}.`,
  );
}

export function unsupported(parameter: string): ServiceError {
  return refused(
    'UnsupportedOperation',
    `emulator limit: parameter ${parameter} is not supported by the local cloud`,
  );
}

/** What older clients, of the query protocol, knew an error as. */
const QUERY_CODES: Readonly<Record<string, string>> = {
  QueueDoesNotExist: 'AWS.SimpleQueueService.NonExistentQueue',
  QueueNameExists: 'QueueAlreadyExists',
  EmptyBatchRequest: 'AWS.SimpleQueueService.EmptyBatchRequest',
  TooManyEntriesInBatchRequest: 'AWS.SimpleQueueService.TooManyEntriesInBatchRequest',
  BatchEntryIdsNotDistinct: 'AWS.SimpleQueueService.BatchEntryIdsNotDistinct',
  BatchRequestTooLong: 'AWS.SimpleQueueService.BatchRequestTooLong',
  InvalidBatchEntryId: 'AWS.SimpleQueueService.InvalidBatchEntryId',
  MessageNotInflight: 'AWS.SimpleQueueService.MessageNotInflight',
  PurgeQueueInProgress: 'AWS.SimpleQueueService.PurgeQueueInProgress',
  UnsupportedOperation: 'AWS.SimpleQueueService.UnsupportedOperation',
};

/** The value of `x-amzn-query-error`. */
export function queryErrorOf(code: string): string {
  return `${QUERY_CODES[code] ?? code};Sender`;
}
