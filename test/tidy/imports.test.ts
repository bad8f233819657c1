/** The import laws: who may import whom. What a row leaves out is forbidden. */
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { SOURCE_ROOMS, sources } from './sources.ts';

const SDK = ['@aws-sdk/', '@smithy/', 'aws4fetch/'];
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'lib/core': ['#core/'],
  'lib/ports': ['#core/'],
  'lib/pipeline': ['#core/', '#ports/', '#pipeline/'],
  'lib/adapters': [
    '#core/',
    '#ports/',
    '#adapters/',
    'node:',
    '@aws-lambda-powertools/',
    'aws-lambda/',
    'temporal-polyfill/',
    'xxhash-wasm/',
    ...SDK,
  ],
  'lib/config': ['#core/', '#config/', 'zod/', 'node:'],
  'lib/infra': [
    '#core/',
    '#config/',
    '#infra/',
    'node:',
    'aws-cdk-lib/',
    'constructs/',
    'esbuild/',
  ],
  'lib/local': ['#local/', 'node:'],
  'lib/localstack': ['#localstack/', 'node:', 'testcontainers/', '@testcontainers/'],
  'lib/demo': ['#demo/', 'node:'],
  'lib/cli': [
    '#core/',
    '#ports/',
    '#pipeline/',
    '#adapters/',
    '#config/',
    '#cli/',
    '#local/',
    '#localstack/',
    '#infra/alarms/',
    // A source is asked as the poller asks it.
    '#functions/poll/environment/',
    '#functions/poll/open-page-source/',
    '#functions/poll/poll-options/',
    'node:',
    'commander/',
    ...SDK,
  ],
  functions: [
    '#functions/',
    '#core/',
    '#ports/',
    '#pipeline/',
    '#adapters/',
    '#config/',
    '@middy/',
    '@aws-lambda-powertools/',
    'aws-lambda/',
    ...SDK,
  ],
  pipelines: ['#config/define-pipeline/', '#config/define-handler/'],
};

const ENTRIES: Readonly<Record<string, readonly string[]>> = {
  'bin/app.ts': ['#config/', '#infra/', 'aws-cdk-lib/', 'node:'],
  'bin/penstock.ts': ['#cli/', 'node:'],
  'lib/local/kit/vitest.ts': ['#local/', 'vitest'],
  'bin/docs.ts': ['#cli/', '#config/', '#infra/alarms/', '#local/faults/', '#test/', 'node:'],
};

const rows = [
  ...Object.entries(MAY_IMPORT).flatMap(([room, allowed]) =>
    sources(room)
      .filter((path) => !Object.hasOwn(ENTRIES, path))
      .map((path) => ({ path, allowed: ['./', ...allowed] })),
  ),
  ...Object.entries(ENTRIES).map(([path, allowed]) => ({ path, allowed })),
];

const importsOf = (path: string) =>
  ts.preProcessFile(readFileSync(path, 'utf8')).importedFiles.map(({ fileName }) => fileName);

test.each(rows)('$path imports only what its room may', ({ path, allowed }) => {
  const forbidden = importsOf(path).filter(
    (name) => !allowed.some((prefix) => `${name}/`.startsWith(prefix)),
  );
  expect(forbidden).toEqual([]);
});

test('every source file lies in a room that has a row', () => {
  const known = new Set(rows.map(({ path }) => path));
  expect(SOURCE_ROOMS.flatMap(sources).filter((path) => !known.has(path))).toEqual([]);
});

test('the local cloud takes nothing but types from the product it judges', () => {
  const values = sources('lib/local').filter((path) =>
    /^import (?!type\b).*from '#(core|ports|pipeline|adapters|config|infra)\//m.test(
      readFileSync(path, 'utf8'),
    ),
  );
  expect(values).toEqual([]);
});

test('a handler loads neither the schema nor CDK', () => {
  const graph = new Set<string>();
  const visit = (path: string) => {
    if (graph.has(path)) return;
    graph.add(path);
    const text = readFileSync(path, 'utf8').replaceAll(/^import type [\s\S]*?;$/gm, '');
    for (const { fileName } of ts.preProcessFile(text).importedFiles) {
      if (fileName.startsWith('#functions/')) visit(`${fileName.slice(1)}.ts`);
      else if (fileName.startsWith('#')) visit(fileName.replace('#', 'lib/') + '.ts');
      else if (fileName.startsWith('./')) visit(path.replace(/[^/]+$/, '') + fileName.slice(2));
      else graph.add(fileName);
    }
  };
  for (const path of sources('functions')) visit(path);
  expect([...graph].filter((name) => /^(zod|aws-cdk-lib|constructs|esbuild)/.test(name))).toEqual(
    [],
  );
});

describe('the edges', () => {
  const inner = ['lib/core', 'lib/ports', 'lib/pipeline', 'lib/local', 'lib/config'].flatMap(
    sources,
  );

  test('only functions and commands construct clients', () => {
    const constructing = [...inner, ...sources('lib/adapters')].filter((path) =>
      /new (Kinesis|DynamoDB)Client\(/.test(readFileSync(path, 'utf8')),
    );
    expect(constructing).toEqual([]);
  });
});

describe('core', () => {
  // The compiler hides the platform from core, but the language itself has a clock and dice.
  test.each(sources('lib/core'))('%s takes time and chance as arguments', (path) => {
    expect(readFileSync(path, 'utf8')).not.toMatch(/\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b/);
  });
});
