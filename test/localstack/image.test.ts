/** The recipe of the LocalStack image, as files: what can be known of it without building it. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BUILT_IMAGE, PUBLISHED_IMAGE } from '#localstack/image';

const FOLDER = 'test/localstack/image';
const text = (path: string) => readFileSync(join(FOLDER, path), 'utf8');
const json = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as Manifest;
const run = (script: string, ...args: string[]) =>
  spawnSync(join(FOLDER, script), args, { encoding: 'utf8', env: { PATH: process.env['PATH'] } });

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly packages?: Readonly<Record<string, { version: string; integrity?: string }>>;
}

/** `NAME=1.2.3` at the top of the build script. */
function pinned(name: string): string | undefined {
  return new RegExp(`^${name}=(\\S+)`, 'm').exec(text('build-image.sh'))?.[1];
}

const byNumber = new Intl.Collator('en', { numeric: true });
const isBelow = (a: string, b: string) => byNumber.compare(a, b) < 0;

test('the image is the LocalStack that the lock pins, under the name the product looks for', () => {
  const version = pinned('LOCALSTACK_VERSION');
  expect(text('requirements.lock').split('\n')).toContain(`localstack-core==${version}`);
  expect(BUILT_IMAGE).toBe(`penstock/localstack:${version}`);
  expect(PUBLISHED_IMAGE).toBe(`localstack/localstack:${version}`);
  expect(run('build-image.sh', '--tag').stdout).toBe(`${BUILT_IMAGE}\n`);
});

test('functions run on the Node.js that the project runs on', () => {
  expect(pinned('NODE_VERSION')).toBe(json('package.json').devDependencies?.['node']);
});

test('every Python package is pinned to one version', () => {
  const lines = text('requirements.lock').trim().split('\n');
  expect(lines.filter((line) => !/^[a-z0-9-]+==[\w.]+$/.test(line))).toEqual([]);
  expect(new Set(lines.map((line) => line.split('==')[0])).size).toBe(lines.length);
});

test('the SDK offered to functions is locked, and no older than the project’s own', () => {
  const offered = json(join(FOLDER, 'runtime/package.json')).dependencies ?? {};
  const locked = json(join(FOLDER, 'runtime/package-lock.json')).packages ?? {};
  const versionOf = (name: string) => locked[`node_modules/${name}`]?.version ?? 'absent';
  const notAsAsked = Object.entries(offered).filter(([name, at]) => versionOf(name) !== at);
  expect(notAsAsked).toEqual([]);
  const sdk = Object.entries(json('package.json').dependencies ?? {}).filter(([name]) =>
    /^@(aws-sdk|smithy)\//.test(name),
  );
  expect(sdk.length).toBeGreaterThan(0);
  const older = sdk.filter(
    ([name, own]) => !/^\d/.test(versionOf(name)) || isBelow(versionOf(name), own),
  );
  expect(older).toEqual([]);
});

test('a version is below another by its numbers, not by its letters', () => {
  expect([isBelow('3.999.0', '3.1143.0'), isBelow('3.1143.0', '3.1143.0')]).toEqual([true, false]);
});

test('every entry point of the plugin names a module and what it defines', () => {
  const points = [
    ...text('plugin/pyproject.toml').matchAll(/= "penstock_localstack\.(\w+):(\w+)"/g),
  ];
  expect(points.length).toBeGreaterThan(5);
  const missing = points.filter(([, file = '', name = '']) => {
    const source = text(`plugin/penstock_localstack/${file}.py`);
    return !new RegExp(`^(def|class) ${name}\\b`, 'm').test(source);
  });
  expect(missing.map(([point]) => point)).toEqual([]);
});

test('what the recipe’s digest is taken from exists, and the README is not part of it', () => {
  const inputs = /^ {2}find (.+?) -type f/m.exec(text('build-image.sh'))?.[1]?.split(' ') ?? [];
  expect(inputs).toContain('build-image.sh');
  expect(inputs).not.toContain('README.md');
  expect(inputs.filter((input) => !existsSync(join(FOLDER, input)))).toEqual([]);
});

test('every script can be executed and is Bash that parses', () => {
  for (const script of ['build-image.sh', 'start-docker.sh', 'entrypoint.sh']) {
    expect(statSync(join(FOLDER, script)).mode & 0o111, script).toBe(0o111);
    const { status, stderr } = spawnSync('bash', ['-n', join(FOLDER, script)], {
      encoding: 'utf8',
    });
    expect({ script, status, stderr }).toEqual({ script, status: 0, stderr: '' });
  }
});

test.each(['build-image.sh', 'start-docker.sh'])('%s tells its usage, engine or not', (script) => {
  const { status, stdout, stderr } = run(script, '--help');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const said = [...text(script).matchAll(/^ {2,4}(--[a-z]+)\)/gm)].map(([, option = '']) => option);
  expect(said.length).toBeGreaterThan(2);
  for (const option of said) expect(stdout).toContain(`${script} ${option}`);
});

test.each(['build-image.sh', 'start-docker.sh'])('%s refuses what it does not know', (script) => {
  const { status, stdout, stderr } = run(script, '--frce');
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toMatch(/^\[[a-z-]+\] unknown argument --frce; --help lists them\n$/);
});
