/** How long `penstock status` takes over ten pipelines on the local cloud. */
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join, resolve as absolute } from 'node:path';
import type { Row } from './row.ts';

const PIPELINES = 10;
const ROUNDS = 7;
const COPIED = ['bin', 'lib', 'functions', 'package.json', 'cdk.json', 'tsconfig.json'];
const ENDPOINT = /http:\/\/127\.0\.0\.1:\d+/;

/** @param directory is empty, and removed by the caller. */
export async function statusRow(directory: string): Promise<Row> {
  const project = join(directory, 'ten');
  copyProject(project);
  const penstock = join(project, 'bin/penstock.mjs');
  const up = spawn(process.execPath, [penstock, 'up', '--port', String(await freePort())], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: project,
  });
  try {
    const endpoint = await endpointOf(up);
    const samples = Array.from({ length: ROUNDS }, () => {
      const startedMs = performance.now();
      const { stdout, stderr } = spawnSync(
        process.execPath,
        [penstock, 'status', '--cloud', endpoint],
        {
          encoding: 'utf8',
        },
      );
      const lines = stdout.trim().split('\n').length;
      if (lines !== PIPELINES + 1)
        throw new Error(`status told of ${lines - 1}: ${stderr || stdout}`);
      return (performance.now() - startedMs) / 1000;
    });
    const value = samples.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? Number.NaN;
    return { what: '`penstock status` over ten pipelines', unit: 's', value, bound: 1 };
  } finally {
    up.kill('SIGINT');
    await once(up, 'exit');
  }
}

function copyProject(project: string): void {
  mkdirSync(join(project, 'pipelines'), { recursive: true });
  for (const name of COPIED) cpSync(name, join(project, name), { recursive: true });
  symlinkSync(absolute('node_modules'), join(project, 'node_modules'));
  const text = readFileSync('pipelines/quakes.ts', 'utf8');
  for (let at = 0; at < PIPELINES; at++) {
    const own = text
      .replaceAll("'quakes'", `'quakes${at}'`)
      // Nobody answers there: what is measured is status alone.
      .replace(/url: \{[^}]*\}/, "url: 'http://localhost:9/'");
    writeFileSync(join(project, `pipelines/quakes${at}.ts`), own);
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

function endpointOf(up: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    up.stdout?.on('data', (chunk) => {
      said += String(chunk);
      const found = ENDPOINT.exec(said)?.[0];
      if (found !== undefined) resolve(found);
    });
    up.once('exit', () => reject(new Error(`up ended: ${said}`)));
  });
}
