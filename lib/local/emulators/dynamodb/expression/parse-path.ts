/** Parses document paths: `name`, `#alias.inner[3]`. */
import { RESERVED_WORDS } from './reserved-words.ts';
import type { Path, Step } from './syntax.ts';
import type { TokenWalk } from './tokens.ts';

export function parsePath(walk: TokenWalk): Path {
  const steps: Step[] = [parseName(walk)];
  for (;;) {
    if (walk.take('.')) {
      steps.push(parseName(walk));
    } else if (walk.take('[')) {
      const token = walk.next();
      if (token.kind !== 'number') throw walk.syntaxError(token);
      walk.expect(']');
      steps.push({ kind: 'index', index: Number(token.text) });
    } else {
      return { kind: 'path', steps };
    }
  }
}

function parseName(walk: TokenWalk): Step {
  const token = walk.next();
  if (token.kind === 'alias') return { kind: 'alias', alias: token.text };
  if (token.kind !== 'word') throw walk.syntaxError(token);
  if (RESERVED_WORDS.has(token.text.toLowerCase())) {
    throw walk.refuse(`Attribute name is a reserved keyword; reserved keyword: ${token.text}`);
  }
  return { kind: 'name', name: token.text };
}

/** `path, path, …` to the end. */
export function parseProjection(walk: TokenWalk): readonly Path[] {
  const paths = [parsePath(walk)];
  while (walk.take(',')) paths.push(parsePath(walk));
  const rest = walk.peek();
  if (rest.kind !== 'end') throw walk.syntaxError(rest);
  return paths;
}
