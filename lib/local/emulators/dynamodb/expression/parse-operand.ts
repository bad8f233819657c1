/** Parses what conditions and updates are about: a path, a value, a function of them. */
import { parsePath } from './parse-path.ts';
import type { Call, Operand } from './syntax.ts';
import type { TokenWalk } from './tokens.ts';

/** `enclosed` knows what stands in parentheses, to refuse the second pair. */
export function parseOperand(walk: TokenWalk, enclosed: WeakSet<object>): Operand {
  if (walk.take('(')) {
    const inner = parseOperand(walk, enclosed);
    walk.expect(')');
    return enclose(walk, inner, enclosed);
  }
  const { kind, text } = walk.peek();
  if (kind === 'value') {
    walk.next();
    return { kind: 'value', name: text };
  }
  return isCall(walk) ? parseCall(walk, enclosed) : parsePath(walk);
}

/** `((a))` is refused as soon as it is read; `((a) AND (b))` is not. */
export function enclose<T extends object>(walk: TokenWalk, inner: T, enclosed: WeakSet<object>): T {
  if (enclosed.has(inner)) throw walk.refuse('The expression has redundant parentheses;');
  enclosed.add(inner);
  return inner;
}

export function isCall(walk: TokenWalk): boolean {
  const behind = walk.peek(1);
  return walk.peek().kind === 'word' && behind.kind === 'sign' && behind.text === '(';
}

function parseCall(walk: TokenWalk, enclosed: WeakSet<object>): Call {
  const name = walk.next().text;
  walk.countOperator();
  walk.expect('(');
  const operands = [parseOperand(walk, enclosed)];
  while (walk.take(',')) operands.push(parseOperand(walk, enclosed));
  walk.expect(')');
  return { kind: 'call', name, operands };
}
