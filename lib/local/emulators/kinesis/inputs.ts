/** Reads members of a request, and refuses what the service would refuse. */
import { ServiceError } from '#local/aws-json';
import type { JsonInput } from '#local/aws-json';

/** Refuse a member as the service's first check does; `path` is like `records.1.member.data`. */
export function invalid(path: string, value: unknown, constraint: string): ServiceError {
  const shown = value === undefined || value === null ? 'null' : `'${String(value)}'`;
  return new ServiceError(
    'ValidationException',
    `1 validation error detected: Value ${shown} at '${path}' failed to satisfy constraint: ` +
      `Member must ${constraint}`,
  );
}

export function refused(message: string): ServiceError {
  return new ServiceError('InvalidArgumentException', message);
}

export function optionalText(input: JsonInput, name: string): string | undefined {
  const value = input[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  throw new ServiceError('SerializationException', `${name} is not a string`);
}

export function requiredText(input: JsonInput, name: string): string {
  const value = optionalText(input, name);
  if (value === undefined) throw invalid(camel(name), undefined, 'not be null');
  return value;
}

/** A whole number within bounds. */
export function optionalCount(
  input: JsonInput,
  name: string,
  bounds: { min: number; max: number },
): number | undefined {
  const value = input[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value)) {
    throw new ServiceError('SerializationException', `${name} is not an integer`);
  }
  const { min, max } = bounds;
  if (value < min) throw invalid(camel(name), value, `have value greater than or equal to ${min}`);
  if (value > max) throw invalid(camel(name), value, `have value less than or equal to ${max}`);
  return value;
}

export function requiredCount(
  input: JsonInput,
  name: string,
  bounds: { min: number; max: number },
): number {
  const value = optionalCount(input, name, bounds);
  if (value === undefined) throw invalid(camel(name), undefined, 'not be null');
  return value;
}

/** Refuse parameters that would change what we do, and that we do not know. */
export function onlyKnown(input: JsonInput, known: readonly string[]): void {
  for (const [name, value] of Object.entries(input)) {
    if (known.includes(name) || value === null || value === undefined) continue;
    throw new ServiceError(
      'ValidationException',
      `emulator limit: parameter ${name} is not supported`,
    );
  }
}

function camel(name: string): string {
  return name.slice(0, 1).toLowerCase() + name.slice(1);
}
