/** Parses document paths: `name`, `#alias.inner[3]`. */
import type { Path, Step } from './syntax.ts';
import type { TokenWalk } from './tokens.ts';

/** Words that no name can be, whatever the grammar. */
const KEYWORDS = new Set(['AND', 'OR', 'NOT', 'BETWEEN', 'IN']);

export function parsePath(walk: TokenWalk): Path {
  const steps: Step[] = [parseName(walk)];
  for (;;) {
    if (walk.take('.')) {
      steps.push(parseName(walk));
    } else if (walk.take('[')) {
      if (walk.peek().kind !== 'number') throw walk.syntaxError();
      const index = Number(walk.next().text);
      walk.expect(']');
      steps.push({ kind: 'index', index });
    } else {
      return { kind: 'path', steps };
    }
  }
}

function parseName(walk: TokenWalk): Step {
  const { kind, text } = walk.peek();
  if (kind === 'alias') {
    walk.next();
    return { kind: 'alias', alias: text };
  }
  if (kind !== 'word' || KEYWORDS.has(text.toUpperCase())) throw walk.syntaxError();
  walk.next();
  return { kind: 'name', name: text };
}

/** `path, path, …` to the end. */
export function parseProjection(walk: TokenWalk): readonly Path[] {
  const paths = [parsePath(walk)];
  while (walk.take(',')) paths.push(parsePath(walk));
  if (walk.peek().kind !== 'end') throw walk.syntaxError();
  return paths;
}
