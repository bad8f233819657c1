/** The relay with its far end as a process here, where a container would have it. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { holdContainer, openRelay } from '#localstack/relay';
import { freePort } from '#test/clouds/free-port';
import { PATIENTLY } from '#test/clouds/patience';

const FAR_END = 'lib/localstack/relay-inside.mjs';
/** Loopback too, but not where the servers of this process listen. */
const INSIDE = '127.0.0.2';

/** The far end, and the process that it ends. */
async function farEnd(): Promise<{ controlPort: number; main: ChildProcess }> {
  const controlPort = await freePort();
  const main = spawn(process.execPath, ['-e', 'setInterval(() => {}, 60_000)']);
  const child = spawn(process.execPath, [FAR_END, `${controlPort}`, `${main.pid}`, INSIDE]);
  onTestFinished(() => {
    child.kill();
    main.kill();
  });
  return { controlPort, main };
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('many clients at once reach a server of this process, each with its own answer', async () => {
  const { controlPort } = await farEnd();
  const server = createServer((request, response) => response.end(`hello ${request.url}`));
  const relay = openRelay({ controlPort, insideHost: INSIDE });
  onTestFinished(() => relay.close());
  const outside = await listen(server);
  const url = await vi.waitFor(() => relay.reach(outside), PATIENTLY);
  expect(new URL(url).hostname).toBe(INSIDE);
  for (let round = 0; round < 3; round++) {
    const paths = Array.from({ length: 40 }, (_, at) => `${round}-${at}`);
    const said = await Promise.all(
      paths.map(async (path) => (await fetch(`${url}${path}`)).text()),
    );
    expect(said).toEqual(paths.map((path) => `hello /${path}`));
  }
});

test('what is inside ends when nobody holds it any more', async () => {
  const { controlPort, main } = await farEnd();
  const ended = once(main, 'exit');
  const release = await holdContainer(controlPort);
  const second = await holdContainer(controlPort);
  release();
  second();
  expect(await ended).toEqual([null, 'SIGTERM']);
});
