/** Words one issue of a schema: what a value must be, not what the validator calls it. */
import type * as z from 'zod';

type Issue = z.core.$ZodIssue;

const MISSING = 'is missing';

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

export function isMissing(message: string): boolean {
  return message === MISSING;
}

/** @param kinds what each shape of a union takes, where the issue is a union's. */
export function issueSentence(issue: Issue, kinds: readonly string[] = []): string {
  if (issue.input === undefined && issue.code.startsWith('invalid_')) return MISSING;
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${kindExpected(issue)}`;
    case 'invalid_value':
      return `must be ${kindExpected(issue)}`;
    case 'invalid_union':
      if (issue.message !== 'Invalid input' && issue.errors.length > 0) return issue.message;
      return `must be ${either([...discriminants(issue), ...kinds])}`;
    case 'too_small':
      return issue.origin === 'number' ? `must be ${bound('at least', issue)}` : issue.message;
    case 'too_big':
      if (issue.origin === 'int') return 'must be a smaller number';
      return issue.origin === 'number' ? `must be at most ${issue.maximum}` : issue.message;
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    default:
      return issue.message;
  }
}

/** The kind of value that an issue asks for, in words. */
export function kindExpected(issue: Issue): string {
  if (issue.code === 'invalid_type') return KINDS[issue.expected] ?? issue.expected;
  if (issue.code === 'invalid_value') {
    return either(issue.values.map((v) => (typeof v === 'string' ? `'${v}'` : String(v))));
  }
  return issue.message;
}

/** The kinds that a union by `kind` knows; the validator's types leave them out. */
function discriminants(issue: Issue): readonly string[] {
  if (!('options' in issue) || !Array.isArray(issue.options)) return [];
  // One that may be left out is no word.
  const named = issue.options.filter((option) => option !== undefined);
  return named.map((option) => `'${String(option)}'`);
}

function bound(words: string, issue: Extract<Issue, { code: 'too_small' }>): string {
  return `${issue.inclusive === false ? 'more than' : words} ${issue.minimum}`;
}

function either(options: readonly string[]): string {
  const last = options.at(-1) ?? 'something else';
  return options.length < 2 ? last : `${options.slice(0, -1).join(', ')} or ${last}`;
}
