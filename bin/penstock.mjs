#!/usr/bin/env node
/** Finds a Node that can run TypeScript before anything else is read: this one, or the project's. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const NODE_MAJOR_MIN = 24;
const own = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url));

if (Number(process.versions.node.split('.')[0]) >= NODE_MAJOR_MIN) {
  // Not imported above: an old Node lacks it, and would say so instead of us.
  const { enableCompileCache } = await import('node:module');
  // Stripping the types of a hundred files takes half a second; the second start is spared it.
  process.env.NODE_COMPILE_CACHE ??= enableCompileCache().directory;
  await import('./penstock.ts');
} else if (existsSync(own)) {
  const entry = fileURLToPath(new URL('./penstock.ts', import.meta.url));
  const child = spawn(own, [entry, ...process.argv.slice(2)], { stdio: 'inherit' });
  // A Ctrl-C reaches the child as well, which ends when it is done; so do we.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.on('exit', (code) => {
    process.exitCode = code ?? 1;
  });
} else {
  process.stderr.write(
    `Penstock needs Node ${NODE_MAJOR_MIN} or later and this is ${process.version}; \`npm ci\` brings one along.\n`,
  );
  process.exitCode = 1;
}
