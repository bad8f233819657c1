/** The process of one environment, in a process group of its own that dies with the cloud. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface RuntimeProcess {
  readonly pid: number | undefined;
  /** Ends the process and whatever it started. */
  kill(): void;
  /** How the process ended, once its output has ended too. */
  readonly gone: Promise<{ readonly code: number | null; readonly signal: string | null }>;
}

export interface RuntimeProcessSettings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly memoryMb: number;
  onStdout(chunk: Uint8Array): void;
  onStderr(chunk: Uint8Array): void;
}

const BOOTSTRAP = fileURLToPath(new URL('./bootstrap.mjs', import.meta.url));

/** Starts the bootstrap; it imports the handler at once. */
export function spawnRuntime(settings: RuntimeProcessSettings): RuntimeProcess {
  const child = spawn(process.execPath, [`--max-old-space-size=${settings.memoryMb}`, BOOTSTRAP], {
    cwd: settings.cwd,
    env: settings.env,
    // The terminal's Ctrl-C is the cloud's to hear, not the function's. Descriptor 3 tells the
    // child that we live: it closes when we die, however we die.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  child.stdio[3]?.on('error', () => {});
  child.stdout?.on('data', settings.onStdout);
  child.stderr?.on('data', settings.onStderr);

  const kill = (): void => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // ESRCH: the whole group has ended already.
    }
  };
  const gone = new Promise<Awaited<RuntimeProcess['gone']>>((resolve) => {
    child.once('error', () => resolve({ code: null, signal: null }));
    // What the function started may hold its output open.
    child.once('exit', kill);
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  return { pid: child.pid, kill, gone };
}
