/** Renders the page of what each cloud does of what AWS does, from the table that tests skip by. */
import { readdirSync, readFileSync } from 'node:fs';
import { CAPABILITIES, gapOf } from './capabilities.ts';
import type { CapabilityName, CloudName } from './capabilities.ts';
import { markdownTable } from '#test/markdown-table';

export interface CapabilityTest {
  readonly name: string;
  readonly title: string;
  /** From the project's root. */
  readonly path: string;
}

const COLUMNS = [
  ['embedded', 'local cloud'],
  ['localstack', 'LocalStack'],
  ['published', 'as published'],
] as const satisfies readonly (readonly [CloudName, string])[];

/** What is said of a cloud that has no gap. */
const YES: Readonly<Record<CloudName, string>> = {
  embedded: 'yes',
  localstack: 'yes',
  published: 'not run',
};

const INTRODUCTION = `# What each cloud does of what AWS does

<!-- Written by \`npm run docs\` from test/clouds/capabilities.ts. Do not edit. -->

The same tests ask the same of two clouds: the **local cloud** of this project (\`npm test\`) and **LocalStack**
(\`npm run test:localstack\`). None of it has been run on AWS: each fact is AWS's by its documentation.

**LocalStack** is its open-source core in the image that \`test/localstack/image/\` builds, with plugins of our own. **As published**
is \`localstack/localstack:4.14.0\`, which has not been run: what it lacks is read from its source.

"yes": the named test passes there. "no": it is skipped there, and the second table says why. What is marked *tried* is run
all the same and must fail in the very way that is known. The day it passes, the test is red and this page is changed.
`;

/** Every call of `capabilityTest` below `test/`, in the order of files and lines. */
export function findCapabilityTests(): readonly CapabilityTest[] {
  const paths = readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(test|contract)\.ts$/.test(path))
    .map((path) => `test/${path}`)
    .sort();
  return paths.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(CALL)].map(({ groups = {} }) => ({
      name: groups['name'] ?? '',
      title: groups['title'] ?? '',
      path,
    })),
  );
}

const CALL = /^ *capabilityTest\(\s*'(?<name>[^']+)',\s*(?<quote>['"`])(?<title>.+?)\k<quote>,/gm;

/** The whole page, in Markdown. */
export function renderCapabilities(tests = findCapabilityTests()): string {
  const names = Object.keys(CAPABILITIES) as CapabilityName[];
  const rows = names.map((name) => [
    CAPABILITIES[name].promise,
    ...COLUMNS.map(([cloud]) => (gapOf(name, cloud) === undefined ? YES[cloud] : '**no**')),
    tests
      .filter((one) => one.name === name)
      .map(({ title, path }) => `${title}: [${path.split('/').at(-1)}](../../${path})`)
      .join('<br>'),
  ]);
  const head = ['on AWS', ...COLUMNS.map(([, column]) => column), 'the test that asks it'];
  const gapHead = ['on AWS', 'where not', 'there', 'source', 'tried'];
  return [
    INTRODUCTION,
    markdownTable(head, rows),
    `## What they lack\n\n${markdownTable(gapHead, names.flatMap(gapRows))}`,
  ].join('\n');
}

function gapRows(name: CapabilityName): readonly (readonly string[])[] {
  return COLUMNS.flatMap(([cloud, column]) => {
    const gap = gapOf(name, cloud);
    const isSaid = cloud === 'published' && gap === gapOf(name, 'localstack');
    if (gap === undefined || isSaid) return [];
    const { reason, source, symptom } = gap;
    const tried = symptom === undefined ? '' : 'tried';
    return [[CAPABILITIES[name].promise, column, reason, source, tried]];
  });
}
