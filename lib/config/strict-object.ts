/** An object schema that refuses an unknown key and says which key was meant. */
import * as z from 'zod';
import { nearestKey } from './nearest-key.ts';

/** The schema of an object that has the members of `shape`, and no others. */
export function strictObject<const Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => unknownKey(key, Object.keys(shape))).join('\n')
        : undefined,
  });
}

function unknownKey(key: string, valid: readonly string[]): string {
  const nearest = nearestKey(key, valid);
  return nearest === undefined
    ? `unknown key; valid here: ${valid.join(', ')}`
    : `unknown key; did you mean '${nearest}'?`;
}
