/** The local cloud killed while it works; what it kept is enough to go on. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  CONSUME_FUNCTION,
  POLL_FUNCTION,
  killFunction,
  scratch,
  sourceRows,
  synthesizeTickets,
  tableRows,
} from './app.ts';
import { fill, ticketsSource } from './tickets-source.ts';

const WAIT = { timeout: 50_000, interval: 200 };

test('a local cloud killed with what it keeps goes on where it was', async () => {
  const source = await ticketsSource();
  fill(source, 0, 600);
  const directory = await scratch();
  const cdkOut = await synthesizeTickets(directory);
  const keepDir = join(directory, 'kept');
  await mkdir(keepDir);
  const program = join(directory, 'cloud.ts');
  await writeFile(program, CLOUD_PROGRAM);

  const first = await cloudProcess(program, { cdkOut, keepDir, url: source.url });
  await vi.waitFor(
    async () => expect((await tableRows(first.endpoint)).size).toBeGreaterThan(0),
    WAIT,
  );
  first.child.kill('SIGKILL');
  await first.ended;
  fill(source, 600, 50);

  const second = await cloudProcess(program, { cdkOut, keepDir, url: source.url });
  await vi.waitFor(
    async () => expect(await tableRows(second.endpoint)).toEqual(sourceRows(source)),
    WAIT,
  );
  second.child.kill('SIGTERM');
  await second.ended;
  const left = [POLL_FUNCTION, CONSUME_FUNCTION].map((name) => killFunction(name, second));
  expect(left).toEqual([0, 0]);
});

const CLOUD_PROGRAM = `
import { startCloud } from '#local/cloud';
import { putSecrets } from '#cli/cloud/put-secrets';
import { connect } from '#cli/connection';
const { cdkOut, keepDir, url } = JSON.parse(process.argv[2]);
const cloud = await startCloud({
  cdkOut, keepDir, tempo: true, parameters: { TicketsApiUrl: url },
  async beforeRunning(endpoint) {
    const connection = connect(endpoint, {});
    await putSecrets(await connection.signed('secretsmanager'), [{ name: 'penstock/whole/tickets-api-token', value: 'a-token-for-tickets' }]);
    connection.close();
  },
});
console.log(cloud.endpoint);
process.once('SIGTERM', () => cloud.stop().then(() => process.exit(0)));
`;

interface CloudProcess {
  readonly child: ChildProcess;
  readonly endpoint: string;
  readonly ended: Promise<unknown>;
}

async function cloudProcess(program: string, input: object): Promise<CloudProcess> {
  const child = spawn(process.execPath, [program, JSON.stringify(input)], {
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
