/** argv in, exit code out. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import { UsageError } from './cli-error.ts';
import { addCheck } from './commands/check.ts';
import { addDemo } from './commands/demo.ts';
import { addGet } from './commands/get.ts';
import { addLag } from './commands/lag.ts';
import { addPoll } from './commands/poll.ts';
import { addTail } from './commands/tail.ts';
import { addUp } from './commands/up.ts';
import type { Io } from './io.ts';
import { withExample } from './options.ts';
import { PROJECT_ROOT } from './project.ts';
import { sentenceOf } from './render/error.ts';

const { version: VERSION } = JSON.parse(
  readFileSync(join(PROJECT_ROOT, 'package.json'), 'utf8'),
) as { version: string };

export const EXIT = { ok: 0, failed: 1, usage: 2 } as const;

/** Run one command. Every error ends as one sentence on standard error. */
export async function runCli(argv: readonly string[], io: Io): Promise<number> {
  let code: number = EXIT.ok;
  const program = buildProgram(io, () => {
    code = EXIT.failed;
  });
  try {
    await program.parseAsync(argv, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    io.err(`${sentenceOf(error)}\n`);
    return error instanceof UsageError ? EXIT.usage : EXIT.failed;
  }
}

/** @param fail notes that a command, which goes on to its end, has failed. */
export function buildProgram(io: Io, fail: () => void): Command {
  const program = new Command('penstock')
    .description('Records from an HTTP API, through Kinesis, into DynamoDB.')
    .version(VERSION)
    .helpCommand(false)
    .showHelpAfterError('(--help says more)')
    .configureOutput({ writeOut: io.out, writeErr: io.err })
    .exitOverride();
  addDemo(program, io, fail);
  addUp(program, io);
  addCheck(program, io, fail);
  addPoll(program, io, fail);
  addLag(program, io);
  addTail(program, io);
  addGet(program, io);
  return withExample(program, 'penstock demo');
}
