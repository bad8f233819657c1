import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readAssembly } from '#local/template/assembly';
import { checkFresh } from '#local/template/check-fresh';
import { writeAssembly } from '#test/local/template/assembly-fixture';

const empty = { Resources: {} };
const emptyFolder = () => mkdtempSync(join(tmpdir(), 'penstock-'));

test('stacks come after those they depend on', () => {
  const cdkOut = writeAssembly([
    { name: 'run', template: empty, dependsOn: ['data', 'shared'] },
    { name: 'data', template: empty, dependsOn: ['shared'] },
    { name: 'shared', template: empty },
  ]);
  expect(readAssembly(cdkOut).map(({ name }) => name)).toEqual(['shared', 'data', 'run']);
});

test('an asset is found by the key it would have in the assets bucket', () => {
  const cdkOut = writeAssembly([{ name: 'run', template: empty, code: { c0de: '' } }]);
  const [stack] = readAssembly(cdkOut);
  expect(stack!.assetPaths.get('c0de.zip')).toBe(join(cdkOut, 'asset.c0de'));
});

test('a folder without a manifest is told in one sentence', () => {
  const folder = emptyFolder();
  const sentence = `There is no synthesized app in ${folder}: run \`npx cdk synth\` first.`;
  expect(() => readAssembly(folder)).toThrow(sentence);
  expect(checkFresh(folder, [])).toBe(sentence);
});

test('an asset that is gone is told in one sentence', () => {
  const cdkOut = writeAssembly([{ name: 'run', template: empty, code: { c0de: '' } }]);
  rmSync(join(cdkOut, 'asset.c0de'), { recursive: true });
  expect(() => readAssembly(cdkOut)).toThrow(
    `Asset ${join(cdkOut, 'asset.c0de')} is gone: run \`npx cdk synth\` again.`,
  );
});

test('a template that is gone is told in one sentence', () => {
  const cdkOut = writeAssembly([{ name: 'run', template: empty }]);
  rmSync(join(cdkOut, 'run.template.json'));
  expect(() => readAssembly(cdkOut)).toThrow(/^Stack run: its template .* is gone/);
});

test('a manifest that is not JSON is told in one sentence', () => {
  const folder = emptyFolder();
  writeFileSync(join(folder, 'manifest.json'), '{');
  expect(() => readAssembly(folder)).toThrow(/manifest\.json cannot be read as JSON/);
});

test('a source that is newer than the assembly makes it stale, wherever it lies', () => {
  const cdkOut = writeAssembly([{ name: 'run', template: empty }]);
  const root = emptyFolder();
  mkdirSync(join(root, 'deep/er'), { recursive: true });
  const source = join(root, 'deep/er/file.ts');
  writeFileSync(source, '');
  utimesSync(source, new Date(2001, 1, 1), new Date(2001, 1, 1));
  expect(checkFresh(cdkOut, [root, '/no/such/root'])).toBeUndefined();
  utimesSync(source, new Date(2101, 1, 1), new Date(2101, 1, 1));
  expect(checkFresh(cdkOut, [root])).toBe(
    `${source} changed after ${cdkOut} was synthesized: run \`npx cdk synth\` again.`,
  );
  expect(checkFresh(cdkOut, [source])).toContain('changed after');
});
