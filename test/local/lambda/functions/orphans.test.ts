import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { asset, isAlive, until } from './asset.ts';

const CLOUD = fileURLToPath(new URL('./cloud-process.ts', import.meta.url));

test.each([
  ['idle', `export const handler = async () => { console.log(process.pid); };`],
  [
    'waiting',
    `export const handler = async () => { console.log(process.pid); await new Promise(() => setInterval(() => {}, 1000)); };`,
  ],
  [
    'never yielding',
    `export const handler = async () => { console.log(process.pid); for (;;) {} };`,
  ],
])('a cloud killed with SIGKILL leaves no %s function behind', async (_, source) => {
  const cloud = spawn(process.execPath, [CLOUD, asset(source)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: cloud.stdout }), 'line')) as [string];
  const pid = Number(line);
  expect(isAlive(pid)).toBe(true);
  cloud.kill('SIGKILL');
  await until(() => !isAlive(pid));
});
