/** Every TypeScript block of the documentation compiles, as a module of its own. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';

interface Fence {
  /** `README.md:12` */
  readonly place: string;
  /** Where the compiler is told that it lies. */
  readonly path: string;
  readonly text: string;
}

const pages = [
  ...readdirSync('.').filter((file) => file.endsWith('.md')),
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
];

function fencesOf(page: string): readonly Fence[] {
  const markdown = readFileSync(page, 'utf8');
  return [...markdown.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map((match) => {
    const line = markdown.slice(0, match.index).split('\n').length;
    const path = resolve(`${page.replaceAll(/[^a-z]/gi, '_')}_${line}.ts`);
    return { place: `${page}:${line}`, path, text: match[1] ?? '' };
  });
}

/** One sentence for each error, with the line of the page. */
function errorsOf(fences: readonly Fence[]): readonly string[] {
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, '.');
  const compilerOptions = { ...options, noUnusedLocals: false, noUnusedParameters: false };
  const host = ts.createCompilerHost(compilerOptions);
  const byPath = new Map(fences.map((fence) => [fence.path, `${fence.text}\nexport {};\n`]));
  const { readFile, fileExists } = host;
  host.readFile = (path) => byPath.get(path) ?? readFile(path);
  host.fileExists = (path) => byPath.has(path) || fileExists(path);
  const program = ts.createProgram([...byPath.keys()], compilerOptions, host);
  return fences.flatMap((fence) =>
    ts.getPreEmitDiagnostics(program, program.getSourceFile(fence.path)).map(({ messageText }) => {
      return `${fence.place}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
    }),
  );
}

test('every block of TypeScript in the documentation compiles', { timeout: 60_000 }, () => {
  expect(errorsOf(pages.filter((page) => existsSync(page)).flatMap(fencesOf))).toEqual([]);
});

test('a block that does not compile is found, by its page and line', { timeout: 60_000 }, () => {
  const text =
    "import { definePipeline } from '#config/define-pipeline';\n" +
    "export default definePipeline({ name: 'x' });\nexport const n: number = 'one';\n";
  const errors = errorsOf([{ place: 'made-up.md:3', path: resolve('made_up_md_3.ts'), text }]);
  expect(errors).toEqual([
    expect.stringMatching(/^made-up\.md:3: .*(missing|assignable)/),
    "made-up.md:3: Type 'string' is not assignable to type 'number'.",
  ]);
});
