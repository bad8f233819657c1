/** What a command may touch of the process that runs it. */
import { UsageError } from './cli-error.ts';
import type { Environment } from './choose-cloud.ts';
import { INTERRUPTED } from './interrupt.ts';
import { visible } from './render/visible.ts';

export interface Io {
  readonly env: Environment;
  /** Writes to standard output as it is. */
  out(text: string): void;
  /** Writes to standard error as it is. */
  err(text: string): void;
  /** Width of the terminal; undefined when standard output is none. */
  readonly terminalWidth: number | undefined;
  /** Asks a person for a line; absent where none sits at standard input. */
  ask?(question: string): Promise<string>;
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
    ...(process.stdin.isTTY ? { ask: askAtTerminal } : {}),
  };
}

/** On standard error: standard output may be a pipe. Ctrl-D answers nothing, Ctrl-C ends. */
async function askAtTerminal(question: string): Promise<string> {
  const { createInterface } = await import('node:readline');
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  return new Promise((resolve) => {
    lines.once('SIGINT', () => process.exit(INTERRUPTED));
    lines.once('close', () => resolve(''));
    lines.question(question, (answer) => {
      resolve(answer);
      lines.close();
    });
  });
}

/** Each stays one line, whatever an API said that stands in it. */
export function printLines(io: Io, lines: readonly string[]): void {
  io.out(lines.map((line) => `${visible(line)}\n`).join(''));
}

/** The same on standard error: standard output is for what was asked for. */
export function sayLines(io: Io, lines: readonly string[]): void {
  io.err(lines.map((line) => `${visible(line)}\n`).join(''));
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

/** Read a whole number above 0 of an option. @throws {UsageError} when it is none. */
export function countingNumber(text: string, name: string): number {
  const number = wholeNumber(text, name);
  if (number > 0) return number;
  throw new UsageError(`${name} must be 1 or more.`);
}
