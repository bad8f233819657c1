/** What the service answers to a request whose members are each possible, and not together. */
import { ServiceError } from '#local/aws-json';

export function refused(message: string): ServiceError {
  return new ServiceError('InvalidArgumentException', message);
}

export function overLimit(message: string): ServiceError {
  return new ServiceError('LimitExceededException', message);
}
