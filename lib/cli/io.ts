/** What a command may touch of the process that runs it. */
import { UsageError } from './cli-error.ts';
import type { Environment } from './connection.ts';

export interface Io {
  readonly env: Environment;
  /** Writes to standard output as it is. */
  out(text: string): void;
  /** Writes to standard error as it is. */
  err(text: string): void;
  /** Width of the terminal; undefined when standard output is none. */
  readonly terminalWidth: number | undefined;
}

/** The process itself; a reader that goes away (`| head`) is no failure. */
export function processIo(): Io {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
  const { columns = 80, isTTY } = process.stdout;
  return {
    env: process.env,
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    terminalWidth: isTTY ? columns : undefined,
  };
}

export function printLines(io: Io, lines: readonly string[]): void {
  io.out(lines.map((line) => `${line}\n`).join(''));
}

export function printJson(io: Io, value: unknown): void {
  io.out(`${JSON.stringify(value, null, 2)}\n`);
}

/** Read a whole number of an option. @throws {UsageError} when it is none. */
export function wholeNumber(text: string, name: string): number {
  if (!/^\d{1,9}$/.test(text))
    throw new UsageError(`${name} must be a whole number, not '${text}'.`);
  return Number(text);
}
