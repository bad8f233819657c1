/** Finds where records fall that are to rise by a value. */
import type { PageSeen } from '#cli/source/walk-pages';
import { numberText, scalarText } from '#core/record/exact-json';
import type { JsonValue } from '#core/record/json';
import { readPath } from '#core/record/path';
import type { Path } from '#core/record/path';

export interface Fall {
  /** From 1. */
  readonly page: number;
  /** Values of two records in a row, of which the second is the lesser. */
  readonly above: string;
  readonly below: string;
}

/** Numbers fall as numbers, texts by their characters; a source may have another order of texts. */
export function firstFall(pages: readonly PageSeen[], field: Path): Fall | undefined {
  for (const [at, { records }] of pages.entries()) {
    const values = records.map((record) => readPath(record, field));
    const fall = fallIn(values);
    if (fall !== undefined) return { page: at + 1, ...fall };
  }
  return undefined;
}

function fallIn(values: readonly (JsonValue | undefined)[]): Omit<Fall, 'page'> | undefined {
  for (const [at, value] of values.slice(1).entries()) {
    const above = scalarText(values[at]);
    const below = scalarText(value);
    if (above === undefined || below === undefined) continue;
    const areNumbers = [values[at], value].every((one) => numberText(one) !== undefined);
    if (areNumbers ? Number(below) < Number(above) : below < above) return { above, below };
  }
  return undefined;
}
