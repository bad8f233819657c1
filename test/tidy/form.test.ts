/** The form of the code: lengths, names and bans. Waivers carry a reason and may only shrink. */
import { readFileSync, readdirSync } from 'node:fs';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { SOURCE_ROOMS, sources } from './sources.ts';

const LINES_MAX = 250;
const LONGER_FILES: Readonly<Record<string, string>> = {};

const files = [...SOURCE_ROOMS, 'test'].flatMap(sources);
const text = (path: string) => readFileSync(path, 'utf8');
/** Without comments: prose may say what code may not. */
const code = (path: string) => text(path).replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');

test('no source file is longer than a reader can hold, but for a reason', () => {
  const long = SOURCE_ROOMS.flatMap(sources).filter(
    (path) => text(path).split('\n').length > LINES_MAX + 1,
  );
  expect(long).toEqual(Object.keys(LONGER_FILES));
});

test('every room has a door-plate', () => {
  const drawers = [...SOURCE_ROOMS, 'test']
    .flatMap((room) => readdirSync(room, { recursive: true, encoding: 'utf8' }))
    .filter((path) => /(^|\/)(utils?|common|helpers?|shared|misc|types)(\.ts)?(\/|$)/.test(path));
  expect(drawers).toEqual([]);
});

test('no file is a barrel', () => {
  expect(files.filter((path) => path.endsWith('/index.ts'))).toEqual([]);
});

test.each([
  ['a default export', /^export default/m, /^(pipelines\/|vitest\.config)/],
  ['an escape from the types', /(: any|\bas any|<any)\b|@ts-(ignore|expect-error|nocheck)/, /^$/],
  ['an enum or a namespace', /^(export )?(const )?(enum|namespace) /m, /^$/],
  ['an import from a parent folder', /from '\.\.\//, /^$/],
])('no source holds %s', (_what, pattern, except) => {
  const found = SOURCE_ROOMS.flatMap(sources).filter(
    (path) => !except.test(path) && pattern.test(code(path)),
  );
  expect(found).toEqual([]);
});

test.each([
  ['a silenced rule', /(ox|es)lint-disable|@ts-(ignore|expect-error|nocheck)/],
  ['unfinished work', /\b(TODO|FIXME|XXX)\b/],
])('no source holds %s, not even in a comment', (_what, pattern) => {
  expect(SOURCE_ROOMS.flatMap(sources).filter((path) => pattern.test(text(path)))).toEqual([]);
});

test('a test title is a fact in the present tense', () => {
  const wishes = sources('test').filter((path) => /\b(test|it)\(\s*['"`]should /.test(text(path)));
  expect(wishes).toEqual([]);
});

test('no test is skipped in silence', () => {
  const silent = sources('test').filter((path) =>
    /\b(test|it|describe)\.(skip|only|todo)\(/.test(text(path)),
  );
  expect(silent).toEqual([]);
});

test('no wait gives up after the second that is the default: a busy machine takes longer', () => {
  const hasty = sources('test').flatMap((path) => hastyWaitsIn(path));
  expect(hasty).toEqual([]);
});

/** Calls of `vi.waitFor` and its like that do not say how long they wait, as `path:line`. */
function hastyWaitsIn(path: string): string[] {
  const waits = /^(vi\.wait(For|Until)|expect\.poll)$/;
  const file = ts.createSourceFile(path, text(path), ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (
      ts.isCallExpression(node) &&
      node.arguments.length < 2 &&
      waits.test(node.expression.getText(file))
    )
      found.push(`${path}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

test('every handler is short enough to be wiring', () => {
  const long = sources('functions').filter(
    (path) => path.endsWith('/handler.ts') && text(path).trimEnd().split('\n').length > 30,
  );
  expect(long).toEqual([]);
});
