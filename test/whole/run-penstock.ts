/** The command line in a process of its own. */
import { spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';

/** Start it; it is killed when the test is over. */
export function runPenstock(argv: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, ['bin/penstock.ts', ...argv], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const written = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => void (written.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => void (written.err += chunk.toString()));
  const ended = new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, ...written }));
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, ended };
}
