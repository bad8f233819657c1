/** Parses update expressions: SET, REMOVE, ADD and DELETE, each at most once. */
import { parsePath } from './parse-path.ts';
import type { SetOperand, UpdateAction, ValueReference } from './syntax.ts';
import type { TokenWalk } from './tokens.ts';

const SECTIONS: Readonly<Record<string, (walk: TokenWalk) => UpdateAction>> = {
  SET: parseSet,
  REMOVE: (walk) => ({ kind: 'remove', path: parsePath(walk) }),
  ADD: (walk) => ({ kind: 'add', path: parsePath(walk), value: parseValue(walk) }),
  DELETE: (walk) => ({ kind: 'delete', path: parsePath(walk), value: parseValue(walk) }),
};

export function parseUpdate(walk: TokenWalk): readonly UpdateAction[] {
  const actions: UpdateAction[] = [];
  const seen = new Set<string>();
  do {
    const token = walk.next();
    const section = token.text.toUpperCase();
    const parseAction = Object.hasOwn(SECTIONS, section) ? SECTIONS[section] : undefined;
    if (token.kind !== 'word' || parseAction === undefined) throw walk.syntaxError(token);
    if (seen.has(section)) {
      throw walk.refuse(`The "${section}" section can only be used once in an update expression;`);
    }
    seen.add(section);
    do actions.push(parseAction(walk));
    while (walk.take(','));
  } while (walk.peek().kind !== 'end');
  return actions;
}

function parseSet(walk: TokenWalk): UpdateAction {
  const path = parsePath(walk);
  walk.expect('=');
  const left = parseSetOperand(walk);
  if (walk.take('+')) {
    return { kind: 'set', path, value: { kind: 'plus', left, right: parseSetOperand(walk) } };
  }
  if (walk.take('-')) {
    return { kind: 'set', path, value: { kind: 'minus', left, right: parseSetOperand(walk) } };
  }
  return { kind: 'set', path, value: left };
}

function parseSetOperand(walk: TokenWalk): SetOperand {
  const token = walk.peek();
  if (token.kind === 'value') return parseValue(walk);
  if (token.kind === 'word' && token.text === 'if_not_exists') {
    walk.next();
    walk.expect('(');
    const path = parsePath(walk);
    walk.expect(',');
    const otherwise = parseSetOperand(walk);
    walk.expect(')');
    return { kind: 'if_not_exists', path, otherwise };
  }
  if (token.kind === 'word' && token.text === 'list_append') {
    walk.next();
    walk.expect('(');
    const first = parseSetOperand(walk);
    walk.expect(',');
    const second = parseSetOperand(walk);
    walk.expect(')');
    return { kind: 'list_append', first, second };
  }
  return parsePath(walk);
}

function parseValue(walk: TokenWalk): ValueReference {
  const token = walk.next();
  if (token.kind !== 'value') throw walk.syntaxError(token);
  return { kind: 'value', name: token.text };
}
