/** The process of one environment, in a process group of its own that dies with the cloud. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface RuntimeProcess {
  readonly pid: number | undefined;
  /** Ends the process and whatever it started. */
  kill(): void;
  /** Stops it, and whatever it started, where it is. */
  freeze(): void;
  /** How the process ended, once its output has ended too. */
  readonly gone: Promise<{ readonly code: number | null; readonly signal: string | null }>;
}

export interface RuntimeProcessSettings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly memoryMb: number;
  /** True: its `Date` can be set. */
  readonly canSkew: boolean;
  onStdout(chunk: Uint8Array): void;
  onStderr(chunk: Uint8Array): void;
}

const BOOTSTRAP = fileURLToPath(new URL('./bootstrap.mjs', import.meta.url));
const SKEW_DATE = new URL('./skew-date.mjs', import.meta.url).href;

/**
 * What Lambda starts Node with: the heap has nine tenths of the memory, a twentieth of it at most the
 * young half; a module is what its name or package says, and CommonJS requires no ES module.
 *
 * @source The bootstrap of nodejs24.x; Lambda Developer Guide, "Experimental Node.js features".
 */
function nodeFlags({ memoryMb, canSkew }: RuntimeProcessSettings): readonly string[] {
  const youngMb = Math.floor(memoryMb / 10);
  return [
    `--max-old-space-size=${memoryMb - youngMb}`,
    `--max-semi-space-size=${Math.floor(youngMb / 2)}`,
    '--no-experimental-detect-module',
    '--no-experimental-require-module',
    ...(canSkew ? [`--import=${SKEW_DATE}`] : []),
  ];
}

/** Starts the bootstrap; it imports the handler at once. */
export function spawnRuntime(settings: RuntimeProcessSettings): RuntimeProcess {
  const child = spawn(process.execPath, [...nodeFlags(settings), BOOTSTRAP], {
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

  const signal = (name: NodeJS.Signals): void => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, name);
    } catch {
      // ESRCH: the whole group has ended already.
    }
  };
  const kill = (): void => signal('SIGKILL');
  const gone = new Promise<Awaited<RuntimeProcess['gone']>>((resolve) => {
    child.once('error', () => resolve({ code: null, signal: null }));
    // What the function started may hold its output open.
    child.once('exit', kill);
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  return { pid: child.pid, kill, freeze: () => signal('SIGSTOP'), gone };
}
