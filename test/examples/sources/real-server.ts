/** Servers that others wrote, each a process on loopback that ends with its test. */
import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { freePort } from '#test/clouds/free-port';

const PROBE_EVERY_MS = 20;

export interface ServerAsk {
  /** A program, and what it is called with when it is to listen at `port`. */
  command(port: number): readonly [file: string, ...args: readonly string[]];
  /** Asked for until it is answered: then the server is ready. */
  readonly path: string;
  /** Default: any that is free. */
  readonly port?: number | undefined;
  /** Where it writes what it keeps. */
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
}

export interface RealServer {
  /** `http://127.0.0.1:49152` */
  readonly url: string;
  readonly port: number;
  /** Before its test does. */
  end(): Promise<void>;
}

/** @throws {Error} with what it said, when it ends before it is ready. */
export async function realServer({
  command,
  path,
  cwd,
  env,
  ...ask
}: ServerAsk): Promise<RealServer> {
  const port = ask.port ?? (await freePort());
  const [file, ...args] = command(port);
  const child = spawn(file, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
    ...(cwd === undefined ? {} : { cwd }),
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-4_000)));
  }
  const ended = new Promise<string>((resolve) => {
    child.once('error', ({ message }) => resolve(message));
    child.once('close', (code, signal) => resolve(`it ended with ${code ?? signal}: ${said}`));
  });
  const end = async () => {
    child.kill();
    await ended;
  };
  onTestFinished(end);
  const url = `http://127.0.0.1:${port}`;
  const isOver = { is: false };
  const failed = ended.then((why) => {
    isOver.is = true;
    throw new Error(`${file} is not ready: ${why}`);
  });
  failed.catch(() => undefined);
  await Promise.race([failed, answering(url + path, isOver)]);
  return { url, port, end };
}

async function answering(url: string, isOver: { readonly is: boolean }): Promise<void> {
  while (!isOver.is) {
    const answer = await fetch(url).catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.ok) return;
    await pause(PROBE_EVERY_MS);
  }
}
