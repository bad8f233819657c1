/** Checks a request against its shape, and refuses it in the words of the service's front. */
import type { JsonInput, ServiceError } from '#local/aws-json';
import { unserializable } from './attribute-value.ts';
import { emulatorLimit, invalid } from './refusal.ts';

interface Bounds {
  readonly min?: number;
  readonly max?: number;
}

export type Shape =
  | ({
      readonly kind: 'text';
      readonly pattern?: string;
      readonly words?: readonly string[];
    } & Bounds)
  | ({ readonly kind: 'integer' } & Bounds)
  | { readonly kind: 'boolean' }
  | ({ readonly kind: 'list'; readonly of: Shape } & Bounds)
  | ({ readonly kind: 'map'; readonly of: Shape } & Bounds)
  | Structure
  /** An AttributeValue, or what else is read by code of its own. */
  | { readonly kind: 'any' };

export interface Structure {
  readonly kind: 'structure';
  readonly members: Readonly<Record<string, Shape>>;
  readonly required: readonly string[];
}

/** The service tells of no more than so many at once. */
const VIOLATIONS_MAX = 10;

/** @throws {ServiceError} for a wrong type, for constraints not met, or for a parameter not known here. */
export function checkShape(shape: Structure, input: JsonInput): void {
  const violations: string[] = [];
  checkStructure(shape, input, '', violations);
  if (violations.length === 0) return;
  const shown = violations.slice(0, VIOLATIONS_MAX);
  throw invalid(
    `${shown.length} validation error${shown.length === 1 ? '' : 's'} detected: ${shown.join('; ')}`,
  );
}

function checkStructure(shape: Structure, input: JsonInput, path: string, found: string[]): void {
  for (const name in input) {
    const value = input[name];
    if (value !== undefined && value !== null && !Object.hasOwn(shape.members, name)) {
      throw emulatorLimit(`parameter ${name}`);
    }
  }
  for (const name in shape.members) {
    const inner = shape.members[name];
    const value = input[name];
    if (value !== undefined && value !== null) {
      if (inner !== undefined) check(inner, value, place(path, name), found);
    } else if (shape.required.includes(name)) {
      found.push(violation(null, place(path, name), 'Member must not be null'));
    }
  }
}

function place(path: string, name: string): string {
  const lower = name.charAt(0).toLowerCase() + name.slice(1);
  return path === '' ? lower : `${path}.${lower}`;
}

function check(shape: Shape, value: unknown, path: string, found: string[]): void {
  switch (shape.kind) {
    case 'any':
      return;
    case 'text':
      return checkText(shape, value, path, found);
    case 'integer':
      if (typeof value !== 'number') throw wrongType(value, 'Integer');
      checkRange(value, shape, 'value', { value, path, found });
      return;
    case 'boolean':
      if (typeof value !== 'boolean') throw wrongType(value, 'Boolean');
      return;
    case 'list':
      if (!Array.isArray(value)) throw wrongType(value, 'List');
      checkRange(value.length, shape, 'length', { value, path, found });
      value.forEach((inner, at) => check(shape.of, inner, `${path}.${at + 1}.member`, found));
      return;
    case 'map':
      return checkMap(shape, objectIn(value), path, found);
    case 'structure':
      checkStructure(shape, objectIn(value), path, found);
  }
}

function checkMap(
  shape: Extract<Shape, { kind: 'map' }>,
  value: JsonInput,
  path: string,
  found: string[],
): void {
  checkRange(Object.keys(value).length, shape, 'length', { value, path, found });
  // Lists in a map are counted by the map.
  const { min, max } = shape.of.kind === 'list' ? shape.of : {};
  for (const [key, inner] of Object.entries(value)) {
    const length = Array.isArray(inner) ? inner.length : 0;
    if (Array.isArray(inner) && (length > (max ?? length) || length < (min ?? 0))) {
      const of = `[Member must have length less than or equal to ${max}, Member must have length greater than or equal to ${min}]`;
      found.push(violation(value, path, `Map value must satisfy constraint: ${of}`));
    } else {
      check(shape.of, inner, `${path}.${key}.member`, found);
    }
  }
}

function checkText(
  shape: Extract<Shape, { kind: 'text' }>,
  value: unknown,
  path: string,
  found: string[],
): void {
  if (typeof value !== 'string') throw wrongType(value, 'String');
  const { words, pattern } = shape;
  if (words !== undefined && !words.includes(value)) {
    found.push(violation(value, path, `Member must satisfy enum value set: [${words.join(', ')}]`));
  }
  if (pattern !== undefined && !new RegExp(`^${pattern}$`).test(value)) {
    found.push(
      violation(value, path, `Member must satisfy regular expression pattern: ${pattern}`),
    );
  }
  checkRange(value.length, shape, 'length', { value, path, found });
}

function checkRange(
  number: number,
  { min, max }: Bounds,
  what: 'value' | 'length',
  { value, path, found }: { value: unknown; path: string; found: string[] },
): void {
  if (min !== undefined && number < min) {
    found.push(violation(value, path, `Member must have ${what} greater than or equal to ${min}`));
  }
  if (max !== undefined && number > max) {
    found.push(violation(value, path, `Member must have ${what} less than or equal to ${max}`));
  }
}

function violation(value: unknown, path: string, constraint: string): string {
  const shown = value === null ? 'null' : `'${show(value)}'`;
  return `Value ${shown} at '${path}' failed to satisfy constraint: ${constraint}`;
}

function show(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(show).join(', ')}]`;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function objectIn(value: unknown): JsonInput {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as JsonInput;
  }
  throw wrongType(value, 'Map');
}

function wrongType(value: unknown, wanted: string): ServiceError {
  if (wanted === 'List' || wanted === 'Map') {
    return unserializable(
      Array.isArray(value)
        ? `Unrecognized collection type ${wanted}`
        : typeof value === 'object'
          ? 'Start of structure or map found where not expected'
          : 'Unexpected field type',
    );
  }
  if (typeof value === 'object') {
    return unserializable(
      Array.isArray(value)
        ? `Unrecognized collection type class java.lang.${wanted}`
        : 'Start of structure or map found where not expected',
    );
  }
  const token =
    typeof value === 'string'
      ? 'STRING_VALUE'
      : typeof value === 'boolean'
        ? `${String(value).toUpperCase()}_VALUE`
        : Number.isInteger(value)
          ? 'NUMBER_VALUE'
          : 'DECIMAL_VALUE';
  return unserializable(`${token} cannot be converted to ${wanted}`);
}
