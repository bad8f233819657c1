/** Parses condition, filter and key condition expressions. */
import { enclose, parseOperand } from './parse-operand.ts';
import type { Comparator, Condition, Operand } from './syntax.ts';
import { isToken } from './tokens.ts';
import type { TokenWalk } from './tokens.ts';

const COMPARATORS: readonly Comparator[] = ['=', '<>', '<=', '>=', '<', '>'];
/** Deeper than any expression goes that is not refused for its operators. */
const DEPTH_MAX = 310;

/** An operand may stand for a condition until the next token is seen. */
type Part = Condition | Operand;

export function parseCondition(walk: TokenWalk): Condition {
  const part = readOr({ walk, enclosed: new WeakSet(), depth: 0 });
  if (walk.peek().kind !== 'end' || !isCondition(part)) throw walk.syntaxError();
  return part;
}

interface Reading {
  readonly walk: TokenWalk;
  readonly enclosed: WeakSet<object>;
  depth: number;
}

function readOr(reading: Reading): Part {
  return readChain(reading, 'OR', readAnd);
}

function readAnd(reading: Reading): Part {
  return readChain(reading, 'AND', readNot);
}

function readChain(
  reading: Reading,
  word: 'AND' | 'OR',
  readInner: (reading: Reading) => Part,
): Part {
  const { walk } = reading;
  let left = readInner(reading);
  while (isToken(walk.peek(), word)) {
    const first = asCondition(walk, left);
    walk.next();
    walk.countOperator();
    const right = asCondition(walk, readInner(reading));
    left = { kind: word === 'OR' ? 'or' : 'and', left: first, right };
  }
  return left;
}

function readNot(reading: Reading): Part {
  const { walk } = reading;
  if (!walk.take('NOT')) return readPrimary(reading);
  walk.countOperator();
  return { kind: 'not', inner: asCondition(walk, readNot(reading)) };
}

function readPrimary(reading: Reading): Part {
  const { walk, enclosed } = reading;
  if (!walk.take('(')) return readRest(reading, parseOperand(walk, enclosed));
  reading.depth += 1;
  if (reading.depth > DEPTH_MAX) {
    walk.checkCount();
    throw walk.refuse('The expression has redundant parentheses;');
  }
  const inner = readOr(reading);
  walk.expect(')');
  reading.depth -= 1;
  const part = enclose(walk, inner, enclosed);
  return part.kind === 'path' || part.kind === 'value' || part.kind === 'call'
    ? readRest(reading, part)
    : part;
}

/** What follows an operand: a comparison, or nothing yet. */
function readRest({ walk, enclosed }: Reading, value: Operand): Part {
  const operand = (): Operand => parseOperand(walk, enclosed);
  if (walk.take('BETWEEN')) {
    walk.countOperator();
    const low = operand();
    walk.expect('AND');
    return { kind: 'between', value, low, high: operand() };
  }
  if (walk.take('IN')) {
    walk.countOperator();
    walk.expect('(');
    const options = [operand()];
    while (walk.take(',')) options.push(operand());
    walk.expect(')');
    return { kind: 'in', value, options };
  }
  const { kind, text } = walk.peek();
  const comparator = kind === 'sign' ? COMPARATORS.find((sign) => sign === text) : undefined;
  if (comparator === undefined) return value;
  walk.next();
  walk.countOperator();
  return { kind: 'compare', comparator, left: value, right: operand() };
}

function isCondition(part: Part): part is Condition {
  return part.kind !== 'path' && part.kind !== 'value';
}

function asCondition(walk: TokenWalk, part: Part): Condition {
  if (isCondition(part)) return part;
  throw walk.syntaxError();
}
