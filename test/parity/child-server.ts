/** Another maker's server, as a process of its own on a free port. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '#test/clouds/free-port';

export interface ChildServer {
  readonly url: string;
  stop(): Promise<void>;
}

export interface ChildServerAsk {
  /** Of Node, after its own. */
  readonly args: readonly string[];
  readonly cwd: string;
  /** Names the port, and one more for what else it listens on. */
  env(port: number, otherPort: number): Readonly<Record<string, string>>;
  /** Answers with any status once the server is up. */
  readonly path: string;
}

const PAUSE_MS = 100;

/** @throws {Error} with what it printed, when it ends before it answers. */
export async function startChildServer({
  args,
  cwd,
  env,
  path,
}: ChildServerAsk): Promise<ChildServer> {
  const [port, otherPort] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, args, {
    cwd,
    env: { PATH: process.env['PATH'], ...env(port, otherPort) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => void (said += chunk.toString()));
  }
  const url = `http://127.0.0.1:${port}`;
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await exited;
  };
  while (child.exitCode === null && child.signalCode === null) {
    if (await answers(`${url}${path}`)) return { url, stop };
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  await stop();
  throw new Error(`${args.join(' ')} ended: ${said}`);
}

async function answers(url: string): Promise<boolean> {
  try {
    await fetch(url);
    return true;
  } catch {
    return false;
  }
}
