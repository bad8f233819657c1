/** The demo in a LocalStack of its own, as a person runs it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { cloudTest } from '#test/clouds/cloud-test';

interface Found {
  readonly holds: boolean;
  readonly pipelines: Readonly<Record<string, { sourceRows: number; tableRows: number }>>;
}

/** The variables that it says a shell needs, once the judge has spoken. */
function variablesIn(text: string): Map<string, string> {
  return new Map(
    [...text.matchAll(/^ {2}export (\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );
}

async function answers(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const [event] = await Promise.race([
    once(socket, 'connect').then(() => ['connect']),
    once(socket, 'error').then(() => ['error']),
  ]).catch(() => ['error']);
  socket.destroy();
  return event === 'connect';
}

// The tier's own cloud has no part in it, but where there is none, this is skipped as well.
cloudTest('every promise holds; --stay keeps it up, and Ctrl-C leaves no container', async () => {
  const args = ['demo', '--cloud', 'localstack', '--changes', '300', '--json', '--stay'];
  const child = spawn(process.execPath, ['bin/penstock.ts', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const said = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => void (said.out += chunk.toString()));
  const closed = once(child, 'close');
  await Promise.race([
    closed,
    new Promise<void>((resolve) => {
      child.stderr.on('data', (chunk: Buffer) => {
        said.err += chunk.toString();
        if (said.err.includes('Ctrl-C stops it.')) resolve();
      });
    }),
  ]);
  const endpoint = variablesIn(said.err).get('AWS_ENDPOINT_URL');
  if (endpoint === undefined) throw new Error(`The demo ended early: ${said.err}${said.out}`);
  expect(await answers(endpoint)).toBe(true);
  const { holds, pipelines } = JSON.parse(said.out) as Found;
  const rows = Object.entries(pipelines).map(([name, { tableRows }]) => [name, tableRows]);
  expect({ holds, ...Object.fromEntries(rows) }).toEqual({
    holds: true,
    orders: pipelines['orders']?.sourceRows,
    payments: pipelines['payments']?.sourceRows,
    quakes: 1_707,
  });

  child.kill('SIGINT');
  expect(await closed).toEqual([0, null]);
  expect(await answers(endpoint)).toBe(false);
});
