/** The command line as a user and a shell see it. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Io } from '#cli/io';
import { buildProgram, runCli } from '#cli/run-cli';

function recorded(env: Io['env'] = {}) {
  const written = { out: '', err: '' };
  const io: Io = {
    env,
    out: (text) => void (written.out += text),
    err: (text) => void (written.err += text),
    terminalWidth: undefined,
  };
  return { io, written };
}

async function run(...argv: string[]) {
  const { io, written } = recorded();
  const code = await runCli(argv, io);
  return { code, ...written };
}

const commands = buildProgram(recorded().io, () => undefined).commands.map((command) =>
  command.name(),
);

test('the commands are these', () => {
  expect(commands).toEqual(['demo', 'up', 'check', 'poll', 'lag', 'tail', 'get']);
});

test.each(commands)('%s --help shows an example and ends well', async (name) => {
  const { code, out, err } = await run(name, '--help');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(new RegExp(`Example:\n  \\$ .*penstock ${name}\\b`));
});

test.each(['demo', 'check', 'poll', 'lag', 'tail', 'get'])(
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
])('%j is a wrong command line: exit code 2', async (argv, said) => {
  const { code, out, err } = await run(...argv);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toContain(said);
});

test.each([
  [['lag', 'order'], "There is no pipeline 'order'; there are: orders, quakes.\n"],
  [['tail', 'orders', '-n', 'all'], "--number must be a whole number, not 'all'.\n"],
  [['up'], 'ORDERS_API_URL is not set: a pipeline needs it.\n'],
])('%j fails with one sentence and exit code 1', async (argv, sentence) => {
  expect(await run(...argv)).toEqual({ code: 1, out: '', err: sentence });
});

test('a cloud that does not answer is one sentence', async () => {
  const { code, err } = await run('lag', 'orders', '--endpoint', 'http://127.0.0.1:9');
  expect(code).toBe(1);
  expect(err).toMatch(/^No cloud answers there; .*\n$/);
});

test('check is content with the pipelines of the project', async () => {
  expect(await run('check')).toEqual({
    code: 0,
    out: 'Nothing is wrong with orders, quakes.\n',
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
