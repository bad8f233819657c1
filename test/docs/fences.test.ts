/** Every TypeScript block of the documentation compiles, as a module of its own. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';

interface Fence {
  /** `README.md:12` */
  readonly place: string;
  readonly file: string;
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
    const file = `${page.replaceAll(/[^a-z]/gi, '_')}_${line}.ts`;
    return { place: `${page}:${line}`, file, text: match[1] ?? '' };
  });
}

/** One sentence for each error, with the page and the line of its block. */
function errorsOf(fences: readonly Fence[]): readonly string[] {
  // Below the root, so that imports mean what they mean there.
  mkdirSync('.penstock', { recursive: true });
  const directory = mkdtempSync('.penstock/fences-');
  try {
    for (const { file, text } of fences) {
      writeFileSync(join(directory, file), `${text}\nexport {};\n`);
    }
    const project = {
      extends: '../../tsconfig.json',
      compilerOptions: { noUnusedLocals: false, noUnusedParameters: false },
      include: ['*.ts'],
    };
    writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify(project));
    const { stdout } = spawnSync('node_modules/.bin/tsc', ['-p', directory], { encoding: 'utf8' });
    const places = new Map(fences.map(({ file, place }) => [file, place]));
    return stdout
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => {
        const { path, message } = ERROR.exec(line)?.groups ?? {};
        if (path === undefined) return line;
        return `${places.get(basename(path)) ?? path}: ${message}`;
      });
  } finally {
    rmSync(directory, { recursive: true });
  }
}

const ERROR = /^(?<path>\S+\.ts)\(\d+,\d+\): error \w+: (?<message>.*)$/;

test('every block of TypeScript in the documentation compiles', { timeout: 180_000 }, () => {
  expect(errorsOf(pages.filter((page) => existsSync(page)).flatMap(fencesOf))).toEqual([]);
});

test('a block that does not compile is found, by its page and line', { timeout: 180_000 }, () => {
  const text =
    "import { definePipeline } from '#config/define-pipeline';\n" +
    "export default definePipeline({ name: 'x' });\nexport const n: number = 'one';\n";
  const errors = errorsOf([{ place: 'made-up.md:3', file: 'made_up_md_3.ts', text }]);
  expect(errors).toEqual([
    expect.stringMatching(/^made-up\.md:3: .*(missing|assignable)/),
    "made-up.md:3: Type 'string' is not assignable to type 'number'.",
  ]);
});
