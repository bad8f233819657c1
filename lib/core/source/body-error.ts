/** An error that a source answers as if all were well: with status 200, in the body. */
import { numberText, scalarText } from '#core/record/exact-json';
import type { JsonValue } from '#core/record/json';
import { describeValue, isJsonArray, isJsonObject, readPath } from '#core/record/path';
import type { Path } from '#core/record/path';

/** Answers that hold one of `values` at `path`. */
export interface KindRule {
  readonly path: Path;
  readonly values: readonly string[];
}

export interface ErrorRule {
  /** Where an answer holds its error. */
  readonly path: Path;
  /** Which errors only ask for time. */
  readonly waitIf: KindRule | undefined;
}

export type BodyError =
  | { readonly kind: 'none' }
  | { readonly kind: 'wait' }
  | { readonly kind: 'refused'; readonly detail: string };

/**
 * Judge an answer by its file's rule. The error itself is not quoted: nobody knows what it holds.
 *
 * Nothing, null, false, 0, and what is empty are no errors: `{ "error_code": 0 }` means well.
 */
export function bodyError(body: JsonValue, rule: ErrorRule | undefined): BodyError {
  if (rule === undefined) return { kind: 'none' };
  const { path, waitIf } = rule;
  const found = readPath(body, path);
  if (found === undefined || isEmpty(found)) return { kind: 'none' };
  const kind = waitIf && errorKindAt(body, waitIf.path);
  if (kind !== undefined && waitIf?.values.includes(kind)) return { kind: 'wait' };
  const detail = `the source answered an error: \`${path.join('.')}\` holds ${describeValue(found)}`;
  return { kind: 'refused', detail };
}

/** The kind of error that an answer names: a text, a number, true or false. */
export function errorKindAt(body: JsonValue, path: Path): string | undefined {
  const kind = readPath(body, path);
  return typeof kind === 'boolean' ? String(kind) : scalarText(kind);
}

function isEmpty(value: JsonValue): boolean {
  const digits = numberText(value);
  if (digits !== undefined) return Number(digits) === 0;
  if (isJsonArray(value)) return value.length === 0;
  if (isJsonObject(value)) return Object.keys(value).length === 0;
  return value === null || value === false || value === '';
}
