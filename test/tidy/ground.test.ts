/** What the project stands on: the pinned Node, exact versions. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));

test('the suite runs on the pinned Node', () => {
  expect(process.versions.node).toBe(manifest.devDependencies.node);
});

test('every dependency is pinned exactly', () => {
  const ranges = Object.entries<string>({ ...manifest.dependencies, ...manifest.devDependencies })
    .map(([name, version]) => [name, version.replace(/^npm:.*@/, '')] as const)
    .filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version));
  expect(ranges).toEqual([]);
});

test('the install script that fetches Node is allowed', () => {
  expect(manifest.allowScripts).toMatchObject({ node: true });
});
