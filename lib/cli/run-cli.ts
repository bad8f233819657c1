/** argv in, exit code out. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import { UsageError } from './cli-error.ts';
import { addBackfill } from './commands/backfill.ts';
import { addBreaker } from './commands/breaker.ts';
import { addCheck } from './commands/check.ts';
import { addCompletion } from './commands/completion.ts';
import { addCursor } from './commands/cursor.ts';
import { addDemo } from './commands/demo.ts';
import { addDoctor } from './commands/doctor.ts';
import { addFault } from './commands/fault.ts';
import { addGet } from './commands/get.ts';
import { addLag } from './commands/lag.ts';
import { addLogs } from './commands/logs.ts';
import { addPause } from './commands/pause.ts';
import { addPlan } from './commands/plan.ts';
import { addPoll } from './commands/poll.ts';
import { addPreview } from './commands/preview.ts';
import { addQuarantine } from './commands/quarantine.ts';
import { addRedrive } from './commands/redrive.ts';
import { addReplay } from './commands/replay.ts';
import { addReshard } from './commands/reshard.ts';
import { addStatus } from './commands/status.ts';
import { addResume } from './commands/resume.ts';
import { addTail } from './commands/tail.ts';
import { addUp } from './commands/up.ts';
import { EXIT, EXIT_MEANINGS } from './exit-codes.ts';
import { sayLines } from './io.ts';
import type { Io } from './io.ts';
import { withExample } from './options.ts';
import { PROJECT_ROOT } from './project.ts';
import { sentenceOf } from './render/error.ts';

const { version: VERSION } = JSON.parse(
  readFileSync(join(PROJECT_ROOT, 'package.json'), 'utf8'),
) as { version: string };

/** Declares a command: nothing heavy at the top of its file, what it works with comes by `import()`. */
type AddCommand = (program: Command, io: Io, fail: (code?: number) => void) => void;

const HELP_WIDTH = 100;

/** In the order of `--help`. */
const COMMANDS: readonly AddCommand[] = [
  addDemo,
  addUp,
  addCheck,
  addPreview,
  addDoctor,
  addPlan,
  addStatus,
  addPoll,
  addPause,
  addResume,
  addCursor,
  addBreaker,
  addLogs,
  addLag,
  addQuarantine,
  addRedrive,
  addReplay,
  addBackfill,
  addReshard,
  addTail,
  addGet,
  addFault,
  addCompletion,
];

/** Run one command. Every error ends as one sentence on standard error. */
export async function runCli(argv: readonly string[], io: Io): Promise<number> {
  let code: number = EXIT.ok;
  const program = buildProgram(io, (failed = EXIT.failed) => {
    code = failed;
  });
  try {
    await program.parseAsync(argv, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    sayLines(io, sentenceOf(error).split('\n'));
    return error instanceof UsageError ? EXIT.usage : EXIT.failed;
  }
}

/** @param fail notes that a command, which goes on to its end, has failed, and how. */
export function buildProgram(io: Io, fail: (code?: number) => void): Command {
  const program = new Command('penstock')
    .description('Records from an HTTP API, through Kinesis, into DynamoDB.')
    .version(VERSION)
    .helpCommand('help [command]', 'the same as --help, of a command')
    .showHelpAfterError('(--help says more)')
    .configureOutput({
      writeOut: io.out,
      writeErr: io.err,
      getOutHelpWidth: () => io.terminalWidth ?? HELP_WIDTH,
      getErrHelpWidth: () => HELP_WIDTH,
    })
    .exitOverride();
  for (const add of COMMANDS) add(program, io, fail);
  return withExample(program, 'penstock demo').addHelpText(
    'after',
    `\nExit codes:\n${exitCodes()}`,
  );
}

/** The program as far as its help goes, whatever the terminal. */
export function helpProgram(): Command {
  const nowhere = { out: () => undefined, err: () => undefined };
  return buildProgram({ env: {}, terminalWidth: undefined, ...nowhere }, () => undefined);
}

function exitCodes(): string {
  const meanings = Object.entries(EXIT_MEANINGS) as [keyof typeof EXIT, string][];
  return meanings
    .map(([name, meaning]) => `  ${String(EXIT[name]).padEnd(4)} ${meaning}\n`)
    .join('');
}
