/** Reads members of a request as SQS does. */
import type { JsonInput } from '#local/aws-json';
import { ServiceError } from '#local/aws-json';
import { invalidValue, missing, unsupported } from './refusal.ts';

/** Refuse members that would change what we do, and that we do not know. */
export function onlyKnown(input: JsonInput, known: readonly string[]): void {
  for (const [name, value] of Object.entries(input)) {
    if (!known.includes(name) && value !== null && value !== undefined) throw unsupported(name);
  }
}

export function optionalText(input: JsonInput, name: string): string | undefined {
  const value = input[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  throw new ServiceError('SerializationException', `${name} is not a string`);
}

export function requiredText(input: JsonInput, name: string): string {
  const value = optionalText(input, name);
  if (value === undefined || value === '') throw missing(name);
  return value;
}

export function texts(input: JsonInput, name: string): readonly string[] {
  const value = input[name];
  if (value === undefined || value === null) return [];
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
  throw new ServiceError('SerializationException', `${name} is not a list of strings`);
}

export function entriesOf(input: JsonInput, name: string): readonly JsonInput[] {
  const value = input[name];
  if (value === undefined || value === null) return [];
  const isObject = (one: unknown): boolean => typeof one === 'object' && one !== null;
  if (Array.isArray(value) && value.every(isObject)) return value as JsonInput[];
  throw new ServiceError('SerializationException', `${name} is not a list of structures`);
}

/** A whole number within bounds; `reason` is how SQS says what they are. */
export function optionalCount(
  input: JsonInput,
  name: string,
  { min, max, reason }: { readonly min: number; readonly max: number; readonly reason: string },
): number | undefined {
  const value = input[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value)) {
    throw new ServiceError('SerializationException', `${name} is not an integer`);
  }
  if (value < min || value > max) throw invalidValue(value, name, reason);
  return value;
}
