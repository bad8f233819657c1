/** The refusals of DynamoDB that more than one file speaks. */
import { ServiceError } from '#local/aws-json';

export function invalid(message: string): ServiceError {
  return new ServiceError('ValidationException', message);
}

export function invalidValue(message: string): ServiceError {
  return invalid(`One or more parameter values were invalid: ${message}`);
}

/** What the service does and this emulator does not: never skipped in silence. */
export function emulatorLimit(what: string): ServiceError {
  return invalid(`emulator limit: ${what} is not supported by the local cloud`);
}
