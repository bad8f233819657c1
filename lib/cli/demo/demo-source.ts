/** Starts a demo source as a process of its own; it ends with us, however we end. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { CliError } from '#cli/cli-error';

export interface DemoSource {
  /** `http://127.0.0.1:40123` */
  readonly url: string;
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 15_000;
/** After this it is ended by force. */
const STOP_TIMEOUT_MS = 2_000;
const ROOM = join(import.meta.dirname, '../../demo');

/** Start `lib/demo/<file>`, up to its listening. @throws {CliError} when it does not listen. */
export async function startDemoSource(file: string, args: readonly string[]): Promise<DemoSource> {
  const child = spawn(process.execPath, [join(ROOM, file), '--port', '0', ...args], {
    cwd: join(ROOM, '../..'),
    stdio: ['pipe', 'pipe', 'inherit'],
    // A Ctrl-C at the terminal is for us to answer: the source must outlive the last request.
    detached: true,
  });
  const url = await readUrl(child, file).catch((error: unknown) => {
    child.kill('SIGKILL');
    throw error;
  });
  return { url, stop: () => stop(child) };
}

async function readUrl(child: ChildProcess, file: string): Promise<string> {
  if (child.stdout === null) throw new CliError(`The demo source ${file} has no output.`);
  const lines = createInterface({ input: child.stdout });
  const late = setTimeout(() => child.kill('SIGKILL'), START_TIMEOUT_MS);
  try {
    for await (const line of lines) {
      return (JSON.parse(line) as { url: string }).url;
    }
  } finally {
    clearTimeout(late);
  }
  throw new CliError(`The demo source ${file} did not start.`);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.stdin?.end();
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(late);
}
