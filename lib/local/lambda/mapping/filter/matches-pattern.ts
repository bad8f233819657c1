/** Decides whether a JSON value matches a filter pattern. */
import type { Bound, Pattern, Rule, Scalar } from './parse-pattern.ts';

/**
 * A list matches when one of its members does; fields of one pattern are of one and the same member.
 *
 * Only leaves are compared: an object does not exist, its members do.
 *
 * @source Lambda Developer Guide, "Control which events Lambda sends to your function": Exists works on leaf nodes.
 */
export function matchesPattern(pattern: Pattern, value: unknown): boolean {
  if (!Array.isArray(value)) return matchesOne(pattern, value);
  const members = flatten(value);
  return members.length === 0
    ? matchesOne(pattern, undefined)
    : members.some((member) => matchesOne(pattern, member));
}

function matchesOne({ fields, choices }: Pattern, value: unknown): boolean {
  return (
    fields.every(([name, expected]) => {
      const member = memberOf(value, name);
      return isRules(expected) ? matchesLeaf(expected, member) : matchesPattern(expected, member);
    }) && choices.every((choice) => choice.some((pattern) => matchesOne(pattern, value)))
  );
}

function isRules(expected: Pattern | readonly Rule[]): expected is readonly Rule[] {
  return Array.isArray(expected);
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

function matchesLeaf(rules: readonly Rule[], value: unknown): boolean {
  const leaves = (Array.isArray(value) ? flatten(value) : [value]).filter(isLeaf);
  return rules.some((rule) =>
    rule.kind === 'exists'
      ? rule.exists === leaves.length > 0
      : leaves.some((leaf) => matchesRule(rule, leaf)),
  );
}

function isLeaf(value: unknown): value is Scalar {
  return value !== undefined && (typeof value !== 'object' || value === null);
}

function matchesRule(rule: Exclude<Rule, { kind: 'exists' }>, leaf: Scalar): boolean {
  switch (rule.kind) {
    case 'equals':
      return leaf === rule.value;
    case 'anything-but':
      return !rule.values.includes(leaf);
    case 'equals-ignore-case':
      return typeof leaf === 'string' && leaf.toLowerCase() === rule.text.toLowerCase();
    case 'prefix':
    case 'suffix': {
      if (typeof leaf !== 'string') return false;
      const [text, part] = rule.ignoresCase
        ? [leaf.toLowerCase(), rule.text.toLowerCase()]
        : [leaf, rule.text];
      return rule.kind === 'prefix' ? text.startsWith(part) : text.endsWith(part);
    }
    case 'numeric':
      return typeof leaf === 'number' && rule.bounds.every((bound) => isWithin(leaf, bound));
  }
}

function isWithin(value: number, { comparison, number }: Bound): boolean {
  switch (comparison) {
    case '=':
      return value === number;
    case '<':
      return value < number;
    case '<=':
      return value <= number;
    case '>':
      return value > number;
    case '>=':
      return value >= number;
  }
}

/** The members of lists within lists, without recursion: data may be nested as deep as it is long. */
function flatten(list: readonly unknown[]): readonly unknown[] {
  if (!list.some(Array.isArray)) return list;
  const members: unknown[] = [];
  const rest: unknown[] = list.toReversed();
  while (rest.length > 0) {
    const one = rest.pop();
    if (Array.isArray(one)) for (let at = one.length - 1; at >= 0; at--) rest.push(one[at]);
    else members.push(one);
  }
  return members;
}
