/** Reads a filter pattern, as Lambda's event filtering has it. */

export type Scalar = string | number | boolean | null;

export type Rule =
  | { readonly kind: 'equals'; readonly value: Scalar }
  | { readonly kind: 'equals-ignore-case'; readonly text: string }
  | { readonly kind: 'prefix' | 'suffix'; readonly text: string; readonly ignoresCase: boolean }
  | { readonly kind: 'anything-but'; readonly values: readonly Scalar[] }
  | { readonly kind: 'numeric'; readonly bounds: readonly Bound[] }
  | { readonly kind: 'exists'; readonly exists: boolean };

export interface Bound {
  readonly comparison: '=' | '<' | '<=' | '>' | '>=';
  readonly number: number;
}

/** Every field must match, and of every choice one pattern. */
export interface Pattern {
  readonly fields: readonly (readonly [name: string, Pattern | readonly Rule[]])[];
  readonly choices: readonly (readonly Pattern[])[];
}

export type ParsedPattern =
  | { readonly kind: 'pattern'; readonly pattern: Pattern }
  | { readonly kind: 'fault'; readonly message: string };

/** @source Lambda API 2015-03-31, Filter. */
const PATTERN_CHARS_MAX = 4096;

/** @source Lambda Developer Guide, "Control which events Lambda sends to your function": filter rule syntax. */
export function parsePattern(text: string): ParsedPattern {
  if (text.length > PATTERN_CHARS_MAX) {
    return fault(`it has ${text.length} characters, more than ${PATTERN_CHARS_MAX}`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return fault('it is not JSON');
  }
  try {
    return { kind: 'pattern', pattern: patternOf(value, 'the pattern') };
  } catch (error) {
    if (error instanceof PatternError) return fault(error.message);
    throw error;
  }
}

class PatternError extends Error {}

function fault(message: string): ParsedPattern {
  return { kind: 'fault', message };
}

function patternOf(value: unknown, where: string): Pattern {
  if (!isObject(value)) throw new PatternError(`${where} is not an object`);
  const entries = Object.entries(value);
  if (entries.length === 0) throw new PatternError(`${where} is empty`);
  const fields: (readonly [string, Pattern | readonly Rule[]])[] = [];
  const choices: (readonly Pattern[])[] = [];
  for (const [name, member] of entries) {
    if (name === '$or' && Array.isArray(member) && member.every(isObject)) {
      if (member.length < 2) throw new PatternError('$or has fewer than two patterns');
      choices.push(member.map((choice) => patternOf(choice, 'a pattern of $or')));
    } else if (Array.isArray(member)) fields.push([name, rulesOf(member, name)]);
    else fields.push([name, patternOf(member, name)]);
  }
  return { fields, choices };
}

function rulesOf(list: readonly unknown[], name: string): readonly Rule[] {
  if (list.length === 0) throw new PatternError(`${name} has no value to match`);
  return list.map((one) => {
    if (isScalar(one)) return { kind: 'equals', value: one };
    const [entry, ...others] = isObject(one) ? Object.entries(one) : [];
    if (entry === undefined || others.length > 0) {
      throw new PatternError(`${name} holds ${JSON.stringify(one)}, which is no comparison`);
    }
    return ruleOf(entry[0], entry[1], name);
  });
}

function ruleOf(comparison: string, value: unknown, name: string): Rule {
  switch (comparison) {
    case 'prefix':
    case 'suffix': {
      const [ignoring, ...others] = isObject(value) ? Object.entries(value) : [];
      const ignoresCase = ignoring?.[0] === 'equals-ignore-case' && others.length === 0;
      const text = ignoresCase ? ignoring[1] : value;
      if (typeof text === 'string') return { kind: comparison, text, ignoresCase };
      break;
    }
    case 'equals-ignore-case':
      if (typeof value === 'string') return { kind: comparison, text: value };
      break;
    case 'anything-but': {
      const values: readonly unknown[] = Array.isArray(value) ? value : [value];
      if (values.length > 0 && values.every(isScalar)) return { kind: comparison, values };
      break;
    }
    case 'exists':
      if (typeof value === 'boolean') return { kind: comparison, exists: value };
      break;
    case 'numeric': {
      const bounds = boundsOf(value);
      if (bounds !== undefined) return { kind: comparison, bounds };
      break;
    }
    default:
      throw new PatternError(`${name}: ${comparison} is no comparison of Lambda's`);
  }
  throw new PatternError(`${name}: ${comparison} cannot be ${JSON.stringify(value)}`);
}

/** One bound, or a lower and an upper one. */
function boundsOf(value: unknown): readonly Bound[] | undefined {
  if (!Array.isArray(value) || (value.length !== 2 && value.length !== 4)) return undefined;
  const bounds: Bound[] = [];
  for (let place = 0; place < value.length; place += 2) {
    const [comparison, number]: readonly unknown[] = value.slice(place, place + 2);
    if (!isComparison(comparison) || typeof number !== 'number') return undefined;
    bounds.push({ comparison, number });
  }
  if (bounds.length === 1) return bounds;
  const directions = bounds.map(({ comparison }) => comparison[0]);
  return directions.includes('<') && directions.includes('>') ? bounds : undefined;
}

function isComparison(value: unknown): value is Bound['comparison'] {
  return typeof value === 'string' && /^(=|<=?|>=?)$/.test(value);
}

function isScalar(value: unknown): value is Scalar {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
