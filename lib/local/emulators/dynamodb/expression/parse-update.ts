/** Parses update expressions: SET, REMOVE, ADD and DELETE. */
import { enclose, parseOperand } from './parse-operand.ts';
import { parsePath } from './parse-path.ts';
import type { Section, SetOperand, Update, UpdateAction, ValueReference } from './syntax.ts';
import type { TokenWalk } from './tokens.ts';

const SECTIONS: readonly Section[] = ['SET', 'REMOVE', 'ADD', 'DELETE'];

export function parseUpdate(walk: TokenWalk): Update {
  const actions: UpdateAction[] = [];
  const sections: Section[] = [];
  do {
    const section = SECTIONS.find((word) => walk.take(word));
    if (section === undefined) throw walk.syntaxError();
    sections.push(section);
    do actions.push(parseAction(walk, section));
    while (walk.take(','));
  } while (walk.peek().kind !== 'end');
  return { sections, actions };
}

function parseAction(walk: TokenWalk, section: Section): UpdateAction {
  const path = parsePath(walk);
  if (section === 'REMOVE') return { section, path };
  if (section !== 'SET') return { section, path, value: parseValue(walk) };
  walk.expect('=');
  return { section, path, value: parseSetValue(walk, new WeakSet()) };
}

/** An operand, or two with a sign between them; all of it may stand in parentheses. */
function parseSetValue(walk: TokenWalk, enclosed: WeakSet<object>): SetOperand {
  let left: SetOperand;
  if (walk.take('(')) {
    const inner = parseSetValue(walk, enclosed);
    walk.expect(')');
    left = enclose(walk, inner, enclosed);
  } else {
    left = parseOperand(walk, enclosed);
  }
  if (left.kind === 'sum') return left;
  const operator = walk.take('+') ? '+' : walk.take('-') ? '-' : undefined;
  if (operator === undefined) return left;
  walk.countOperator();
  return { kind: 'sum', operator, left, right: parseOperand(walk, enclosed) };
}

function parseValue(walk: TokenWalk): ValueReference {
  const { kind, text } = walk.peek();
  if (kind !== 'value') throw walk.syntaxError();
  walk.next();
  return { kind: 'value', name: text };
}
