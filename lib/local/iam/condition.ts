/** Conditions of a statement: what a request must be like for the statement to say anything of it. */
import { hasVariable, textPattern } from './pattern.ts';

/** Values of condition keys, by key in lower case; a key that is absent is not of the request. */
export type RequestContext = Readonly<Record<string, readonly string[]>>;

export type Condition = (context: RequestContext) => boolean;

/** Keys whose values are known here, by whether a request may have several. */
const KEYS: Readonly<Record<string, 'one' | 'several'>> = {
  'dynamodb:leadingkeys': 'several',
  's3:resourceaccount': 'one',
  'aws:resourceaccount': 'one',
};

type Compare = (value: string, asked: string) => boolean;

const OPERATORS: Readonly<Record<string, { readonly compare: Compare; readonly not: boolean }>> = {
  StringEquals: { compare: (value, asked) => value === asked, not: false },
  StringNotEquals: { compare: (value, asked) => value === asked, not: true },
  StringLike: { compare: (value, asked) => textPattern(asked)(value), not: false },
  StringNotLike: { compare: (value, asked) => textPattern(asked)(value), not: true },
};

/**
 * Read the `Condition` of a statement; all must hold.
 *
 * @param report hears of whatever cannot be decided here: it is never taken for true.
 * @source IAM User Guide, "Condition operators", "Multivalued context keys" (2026-10).
 */
export function parseConditions(
  block: unknown,
  report: (fault: string) => void,
): readonly Condition[] {
  return members(block).flatMap(([operator, keys]) =>
    members(keys).flatMap(([key, values]) => {
      const asked = [values].flat().map(String);
      const condition = parseCondition(operator, key, asked);
      if (typeof condition !== 'string') return [condition];
      report(condition);
      return [];
    }),
  );
}

/** The condition, or why it is none. */
function parseCondition(
  operator: string,
  key: string,
  asked: readonly string[],
): Condition | string {
  const [, set, name = ''] = /^(?:(ForAllValues|ForAnyValue):)?(.*)$/.exec(operator) ?? [];
  const known = OPERATORS[name];
  if (known === undefined) return `condition operator ${operator} is not supported`;
  const kind = KEYS[key.toLowerCase()];
  if (kind === undefined) return `condition key ${key} is not known`;
  if (kind === 'several' && set === undefined) {
    return `condition key ${key} may have several values: ${operator} needs ForAllValues: or ForAnyValue:`;
  }
  if (asked.some(hasVariable)) return `a policy variable in the condition ${key} is not supported`;
  const holds = (value: string): boolean =>
    asked.some((one) => known.compare(value, one)) !== known.not;
  return (context) => {
    const values = context[key.toLowerCase()];
    // A set of none: everything is true of all of it, and nothing of any of it.
    if (set === 'ForAllValues') return (values ?? []).every(holds);
    if (set === 'ForAnyValue') return (values ?? []).some(holds);
    return values === undefined ? known.not : values.every(holds);
  };
}

function members(value: unknown): readonly [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}
