import { createRequire } from 'node:module';
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runtimeModules } from '#local/lambda/functions/runtime-modules';

function projectWith(...packages: readonly string[]): string {
  const project = mkdtempSync(join(tmpdir(), 'penstock-project-'));
  for (const name of packages) {
    const folder = join(project, 'node_modules', name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'index.js'), `module.exports = '${name}';`);
  }
  return project;
}

test('the SDK of the project is found, from a folder below it too, and nothing else', () => {
  const project = projectWith('@aws-sdk/client-x', '@smithy/y', 'left-pad');
  const below = join(project, 'packages/app');
  mkdirSync(below, { recursive: true });
  const folder = runtimeModules(below);
  expect(readdirSync(folder).sort()).toEqual(['@aws-sdk', '@smithy']);
  expect(createRequire(join(folder, 'a.js'))(join(folder, '@aws-sdk/client-x'))).toBe(
    '@aws-sdk/client-x',
  );
  expect(runtimeModules(below)).toBe(folder);
});

test('a project without an SDK brings none', () => {
  expect(readdirSync(runtimeModules(projectWith('left-pad')))).toEqual([]);
});
