/** The refusals of DynamoDB that more than one file speaks. */
import { ServiceError } from '#local/aws-json';
import type { JsonInput } from '#local/aws-json';

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

/** Refuse every parameter that is not named. */
export function onlyKnown(input: JsonInput, known: readonly string[]): void {
  for (const [name, value] of Object.entries(input)) {
    if (value !== undefined && value !== null && !known.includes(name)) {
      throw emulatorLimit(`parameter ${name}`);
    }
  }
}

/** One of a few words, or the first of them when there is none. */
export function oneOf<W extends string>(
  input: JsonInput,
  name: string,
  words: readonly [W, ...W[]],
): W {
  const value = input[name];
  if (value === undefined || value === null) return words[0];
  const word = words.find((other) => other === value);
  if (word !== undefined) return word;
  throw invalid(
    `1 validation error detected: Value '${String(value)}' at '${name.slice(0, 1).toLowerCase()}${name.slice(1)}' ` +
      `failed to satisfy constraint: Member must satisfy enum value set: [${words.join(', ')}]`,
  );
}
