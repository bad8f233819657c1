/** The launcher: which Node runs the command, and what is said where none can. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** A copy of the launcher that believes it runs on an old Node, and lacks what that one lacks. */
function launcherOnOldNode() {
  const root = mkdtempSync(join(tmpdir(), 'penstock-launcher-'));
  mkdirSync(join(root, 'bin'));
  const text = readFileSync('bin/penstock.mjs', 'utf8')
    .replaceAll('process.versions.node', "'20.20.2'")
    .replaceAll('enableCompileCache', 'thereFromNode22');
  writeFileSync(join(root, 'bin/penstock.mjs'), text);
  return root;
}
const run = (root: string, ...args: string[]) =>
  spawnSync(process.execPath, [join(root, 'bin/penstock.mjs'), ...args], { encoding: 'utf8' });

test('the bin of the package is a file that any Node can read', () => {
  const { bin } = JSON.parse(readFileSync('package.json', 'utf8')) as { bin: { penstock: string } };
  expect(bin.penstock).toBe('bin/penstock.mjs');
});

test('an old Node without the project’s own is told so in one sentence, before anything is read', () => {
  const { status, stdout, stderr } = run(launcherOnOldNode(), '--help');
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toMatch(
    /^Penstock needs Node 24 or later and this is v[\d.]+; `npm ci` brings one along\.\n$/,
  );
});

test('an old Node hands over to the project’s own, arguments and exit code included', () => {
  const root = launcherOnOldNode();
  cpSync('bin/penstock.mjs', join(root, 'bin/original.mjs'));
  mkdirSync(join(root, 'node_modules/node/bin'), { recursive: true });
  symlinkSync(process.execPath, join(root, 'node_modules/node/bin/node'));
  writeFileSync(
    join(root, 'bin/penstock.ts'),
    'const said: string[] = process.argv.slice(2);\nconsole.log(said.join("|"));\nprocess.exitCode = 7;\n',
  );
  const { status, stdout, stderr } = run(root, 'get', 'orders', '00123');
  expect({ status, stdout, stderr }).toEqual({
    status: 7,
    stdout: 'get|orders|00123\n',
    stderr: '',
  });
});

test('the command itself runs by the launcher', () => {
  const { status, stdout } = spawnSync(process.execPath, ['bin/penstock.mjs', 'get', '--help'], {
    encoding: 'utf8',
  });
  expect(status).toBe(0);
  expect(stdout).toContain('Usage: penstock get');
});

/** Prints what was loaded when the process ends. */
const SPY = `
import { registerHooks } from 'node:module';
const loaded = [];
registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
process.on('exit', () => console.error(loaded.join('\\n')));
`;

test.each([['--help'], ['lag', '--help'], ['up', '--help'], ['nothing']])(
  'penstock %s %s loads no SDK, schema, CDK or local cloud',
  (...args) => {
    const spy = `data:text/javascript,${encodeURIComponent(SPY)}`;
    const argv = ['--import', spy, 'bin/penstock.ts', ...args];
    const { stderr } = spawnSync(process.execPath, argv, { encoding: 'utf8' });
    const loaded = stderr.split('\n').filter((line) => line.startsWith('file:'));
    expect(loaded.some((url) => url.endsWith('/lib/cli/run-cli.ts'))).toBe(true);
    expect(
      loaded.filter(
        (url) =>
          /\/lib\/(local|localstack|adapters|infra)\//.test(url) ||
          /\/node_modules\/(?!commander\/)/.test(url),
      ),
    ).toEqual([]);
  },
);
