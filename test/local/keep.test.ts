/** The local cloud killed while it works; what it kept is enough to go on. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { connect } from '#cli/connection';
import { scratch, synthesizeApp } from '#test/clouds/app';
import { PATIENTLY } from '#test/clouds/patience';
import { killSwitch } from '#test/whole/kill-switch';
import { sourceRows, tableRows } from '#test/whole/tickets-app';
import { fill, TICKETS_FILE, TICKETS_TOKEN, ticketsSource } from '#test/whole/tickets-source';

test('a local cloud killed with what it keeps goes on where it was', async () => {
  const source = await ticketsSource();
  fill(source, 0, 600);
  const functions = await killSwitch();
  const { stage, cdkOut, pipelines } = await synthesizeApp({
    pipeline: TICKETS_FILE,
    env: {},
    functionEnv: { '-poll': functions.env, '-consume-tickets': functions.env },
  });
  const directory = await scratch();
  const keepDir = join(directory, 'kept');
  await mkdir(keepDir);
  const program = join(directory, 'cloud.ts');
  await writeFile(program, CLOUD_PROGRAM);
  const env = { TICKETS_API_URL: source.url, TICKETS_API_TOKEN: TICKETS_TOKEN };
  const ask = { stage, cdkOut, pipelines, keepDir, env };

  const first = await cloudProcess(program, ask);
  await vi.waitFor(
    async () => expect((await rowsIn(first, stage)).size).toBeGreaterThan(0),
    PATIENTLY,
  );
  first.child.kill('SIGKILL');
  await first.ended;
  fill(source, 600, 50);

  const second = await cloudProcess(program, ask);
  const agree = async () => expect(await rowsIn(second, stage)).toEqual(sourceRows(source));
  await vi.waitFor(agree, PATIENTLY);
  expect(functions.running()).toBeGreaterThan(0);
  second.child.kill('SIGTERM');
  await second.ended;
  await vi.waitFor(() => expect(functions.running()).toBe(0), PATIENTLY);
});

const CLOUD_PROGRAM = `
import { startPipelines } from '#cli/cloud/start';
const ask = JSON.parse(process.argv[2]);
const cloud = await startPipelines({ ...ask, tempo: true, port: 0 });
console.log(cloud.endpoint);
process.once('SIGTERM', () => cloud.stop().then(() => process.exit(0)));
`;

interface CloudProcess {
  readonly child: ChildProcess;
  readonly endpoint: string;
  readonly ended: Promise<unknown>;
}

async function cloudProcess(program: string, ask: object): Promise<CloudProcess> {
  const child = spawn(process.execPath, [program, JSON.stringify(ask)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  onTestFinished(() => void child.kill('SIGKILL'));
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout?.setEncoding('utf8').once('data', resolve);
    child.once('exit', () => reject(new Error('the cloud did not start')));
  });
  return { child, endpoint: line.trim(), ended };
}

async function rowsIn({ endpoint }: CloudProcess, stage: string): Promise<Map<string, string>> {
  const connection = connect(endpoint, {});
  try {
    return await tableRows({ stage, connection });
  } finally {
    connection.close();
  }
}
