import type { Io } from '#cli/io';
import { runCli } from '#cli/run-cli';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line, and keeps what it says; nobody sits at a terminal unless `over` says so. */
export async function runRecorded(argv: readonly string[], over: Partial<Io> = {}): Promise<Ran> {
  const written = { out: '', err: '' };
  const code = await runCli(argv, {
    env: {},
    out: (text) => void (written.out += text),
    err: (text) => void (written.err += text),
    terminalWidth: undefined,
    ...over,
  });
  return { code, ...written };
}
