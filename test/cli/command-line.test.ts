/** The command line as a user and a shell see it. */
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Io } from '#cli/io';
import { helpProgram } from '#cli/run-cli';
import { writeAssembly } from '#test/local/template/assembly-fixture';
import { runRecorded } from './run-recorded.ts';

const run = (...argv: readonly string[]) => runRecorded(argv);

const commands = helpProgram().commands.map((command) => command.name());

test('--help names every command, and what each exit code means', async () => {
  const { code, out, err } = await run('--help');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  for (const command of commands) expect(out).toMatch(new RegExp(`^  ${command} .*[a-z]$`, 'm'));
  expect(out).toMatch(/^ {2}2 +the command line is wrong/m);
});

test.each(commands)('%s --help shows an example and ends well', async (name) => {
  const { code, out, err } = await run(name, '--help');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(new RegExp(`Example:\n  \\$ .*penstock ${name}\\b`));
});

test.each([[], ['lag']])('help %j is its --help', async (...argv) => {
  expect(await run('help', ...argv)).toEqual(await run(...argv, '--help'));
});

test('the help of completion says how the word is typed that it completes', async () => {
  expect((await run('completion', '--help')).out).toContain("alias penstock='npx penstock'");
});

test('the commands are these', () => {
  expect(commands.join(' ')).toBe(
    'demo up check preview doctor plan status poll pause resume cursor breaker logs lag quarantine redrive replay backfill reshard tail get fault completion',
  );
});

/** Of those that have subcommands, each of these can. */
const SAYS_NO_JSON = ['up', 'cursor', 'breaker', 'quarantine', 'fault', 'completion'];

test.each(commands.filter((name) => !SAYS_NO_JSON.includes(name)))(
  '%s can speak to a program',
  async (name) => {
    expect((await run(name, '--help')).out).toContain('--json');
  },
);

test.each([
  [['flow'], "unknown command 'flow'"],
  [['lag', '--jsn'], "unknown option '--jsn'"],
  [['get', 'orders'], "missing required argument 'key'"],
  [['tail', 'orders', '--from', 'yesterday'], '--from takes'],
  [['lag', 'order'], "There is no pipeline 'order'; there are: orders, payments, quakes.\n"],
  [['up', 'tickets'], "There is no pipeline 'tickets'; there are: orders, payments, quakes.\n"],
  [['get', 'orders', '1', '--consumer', 'x'], "orders has no consumer 'x'; there are: orders.\n"],
  [['help', 'flow'], 'Usage: penstock'],
  [['tail', 'orders', '-n', '0'], '--number must be 1 or more.'],
  [['tail', 'orders', '-n', 'all'], "--number must be a whole number, not 'all'."],
  [['demo', '--cloud', 'aws'], "--cloud must be embedded or localstack, not 'aws'."],
  [['demo', '--port', 'x'], "--port must be a whole number, not 'x'."],
  [['lag', '--endpoint', 'foo'], "not 'foo'."],
  [
    ['status', '--cloud', 'awz'],
    "--cloud must be local, localstack, aws or an address such as http://127.0.0.1:4599, not 'awz'.",
  ],
])('%j is a wrong command line: exit code 2', async (argv, said) => {
  const { code, out, err } = await run(...argv);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toContain(said);
});

/** `penstock up orders` with the variables that are there. */
const up = (env: Io['env'], ...argv: readonly string[]) =>
  runRecorded(['up', 'orders', ...argv], { env });
const ORDERS_API_URL = 'http://127.0.0.1:9/orders';

test('what is missing, and what is no address, is one sentence and exit code 1', async () => {
  expect(await up({})).toEqual({
    code: 1,
    out: '',
    err: 'ORDERS_API_URL, ORDERS_API_TOKEN are not set: orders needs them.\n',
  });
  expect(await up({ ORDERS_API_URL: 'nonsense', ORDERS_API_TOKEN: 't' })).toEqual({
    code: 1,
    out: '',
    err: 'ORDERS_API_URL must be an absolute URL: orders polls it.\n',
  });

  expect(await up({ ORDERS_API_URL })).toEqual({
    code: 1,
    out: '',
    err: 'ORDERS_API_TOKEN is not set: orders needs it.\n',
  });
});

test('up refuses a folder without an app, and one with an app that is stale or not whole', async () => {
  const refusal = async (cdkOut: string) => {
    const { code, out, err } = await up(
      { ORDERS_API_URL, ORDERS_API_TOKEN: 't' },
      '--cdk-out',
      cdkOut,
    );
    expect({ code, out }).toEqual({ code: 1, out: '' });
    return err;
  };
  const empty = mkdtempSync(join(tmpdir(), 'penstock-cdk-out-'));
  expect(await refusal(empty)).toBe(
    `There is no synthesized app in ${empty}: run \`npx cdk synth\` first.\n`,
  );
  const cdkOut = writeAssembly([{ name: 'run', template: {}, code: { c0de: '' } }]);
  const manifest = join(cdkOut, 'manifest.json');
  utimesSync(manifest, new Date('2001-02-03'), new Date('2001-02-03'));
  expect(await refusal(cdkOut)).toMatch(
    /^\S+ changed after \S+ was synthesized: run `npx cdk synth` again\.\n$/,
  );
  utimesSync(manifest, new Date('2101-02-03'), new Date('2101-02-03'));
  rmSync(join(cdkOut, 'asset.c0de'), { recursive: true });
  expect(await refusal(cdkOut)).toBe(
    `Asset ${join(cdkOut, 'asset.c0de')} is gone: run \`npx cdk synth\` again.\n`,
  );
});

test('a cloud that does not answer is one sentence', async () => {
  const { code, err } = await run('lag', 'orders', '--endpoint', 'http://127.0.0.1:9');
  expect(code).toBe(1);
  expect(err).toMatch(/^No cloud answers at 127\.0\.0\.1:9: .*\n$/);
});

test('check is content with the pipelines of the project', async () => {
  expect(await run('check')).toEqual({
    code: 0,
    out: 'Nothing is wrong with orders, payments, quakes.\n',
    err: '',
  });
});

test('check says everything that is wrong, and exits with 1', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'penstock-check-'));
  writeFileSync(join(directory, 'a.ts'), 'export default { name: "a", shedule: {} };');
  writeFileSync(join(directory, 'b.ts'), 'export const nothing = 1;');
  const plain = await run('check', '--directory', directory);
  expect(plain.code).toBe(1);
  expect(plain.err).toMatch(/^a\.ts: .*shedule/m);
  expect(plain.err).toMatch(/^b\.ts: has no default export/m);
  const json = await run('check', '--directory', directory, '--json');
  expect(json.code).toBe(1);
  expect(JSON.parse(json.out)).toMatchObject({ ok: false, pipelines: [] });
});
