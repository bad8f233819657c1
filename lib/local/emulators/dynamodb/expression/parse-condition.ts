/** Parses condition, filter and key condition expressions. */
import { parsePath } from './parse-path.ts';
import type { Comparator, Condition, Operand, Predicate } from './syntax.ts';
import type { TokenWalk } from './tokens.ts';

const COMPARATORS: readonly Comparator[] = ['=', '<>', '<=', '>=', '<', '>'];
const PREDICATES: Readonly<Record<Predicate, 1 | 2>> = {
  attribute_exists: 1,
  attribute_not_exists: 1,
  attribute_type: 2,
  begins_with: 2,
  contains: 2,
};
const OPTIONS_MAX = 100;

export function parseCondition(walk: TokenWalk): Condition {
  const condition = parseOr(walk);
  const rest = walk.peek();
  if (rest.kind !== 'end') throw walk.syntaxError(rest);
  return condition;
}

function parseOr(walk: TokenWalk): Condition {
  let left = parseAnd(walk);
  while (walk.take('OR')) left = { kind: 'or', left, right: parseAnd(walk) };
  return left;
}

function parseAnd(walk: TokenWalk): Condition {
  let left = parseNot(walk);
  while (walk.take('AND')) left = { kind: 'and', left, right: parseNot(walk) };
  return left;
}

function parseNot(walk: TokenWalk): Condition {
  if (walk.take('NOT')) return { kind: 'not', inner: parseNot(walk) };
  return walk.take('(') ? parseInParentheses(walk) : parseSimple(walk);
}

const enclosed = new WeakSet<Condition>();

/** `((a))` is refused by the service; `((a) AND (b))` is not. */
function parseInParentheses(walk: TokenWalk): Condition {
  const inner = parseOr(walk);
  walk.expect(')');
  if (enclosed.has(inner)) throw walk.refuse('The expression has redundant parentheses;');
  enclosed.add(inner);
  return inner;
}

function parseSimple(walk: TokenWalk): Condition {
  const { kind, text } = walk.peek();
  if (kind === 'word' && isPredicate(text)) return parsePredicate(walk, text);
  const value = parseOperand(walk);
  if (walk.take('BETWEEN')) {
    const low = parseOperand(walk);
    walk.expect('AND');
    return { kind: 'between', value, low, high: parseOperand(walk) };
  }
  if (walk.take('IN')) return { kind: 'in', value, options: parseOptions(walk) };
  const token = walk.next();
  const comparator = COMPARATORS.find((sign) => sign === token.text);
  if (token.kind !== 'sign' || comparator === undefined) throw walk.syntaxError(token);
  return { kind: 'compare', comparator, left: value, right: parseOperand(walk) };
}

function isPredicate(text: string): text is Predicate {
  return Object.hasOwn(PREDICATES, text);
}

function parsePredicate(walk: TokenWalk, name: Predicate): Condition {
  walk.next();
  walk.expect('(');
  const first = parseOperand(walk);
  const second = walk.take(',') ? parseOperand(walk) : undefined;
  const count = second === undefined ? 1 : 2;
  if (walk.peek().text === ',' || count !== PREDICATES[name]) {
    throw walk.refuse(
      `Incorrect number of operands for operator or function; operator or function: ${name}`,
    );
  }
  walk.expect(')');
  return { kind: 'predicate', name, first, second };
}

function parseOptions(walk: TokenWalk): readonly Operand[] {
  walk.expect('(');
  const options = [parseOperand(walk)];
  while (walk.take(',')) options.push(parseOperand(walk));
  walk.expect(')');
  if (options.length > OPTIONS_MAX) {
    throw walk.refuse('Invalid number of operands for operator IN; at most 100');
  }
  return options;
}

function parseOperand(walk: TokenWalk): Operand {
  const token = walk.peek();
  if (token.kind === 'value') {
    walk.next();
    return { kind: 'value', name: token.text };
  }
  // Functions have small letters; `SIZE` is a reserved name.
  if (token.kind === 'word' && token.text === 'size') {
    walk.next();
    walk.expect('(');
    const of = parseOperand(walk);
    walk.expect(')');
    return { kind: 'size', of };
  }
  return parsePath(walk);
}
