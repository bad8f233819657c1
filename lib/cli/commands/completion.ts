/** penstock completion: a script that makes a shell complete this program. */
import { Argument } from 'commander';
import type { Command } from 'commander';
import { printLines } from '#cli/io';
import type { Io } from '#cli/io';
import { withExample } from '#cli/options';
import { PIPELINES_DIRECTORY } from '#cli/project';
import { renderCompletion, SHELLS } from '#cli/render/completion';
import type { CompletedCommand, Shell } from '#cli/render/completion';

export function addCompletion(program: Command, io: Io): void {
  const command = program
    .command('completion')
    .summary('print a completion script')
    .description(
      'Print a script that completes commands, options and pipelines in a shell, after the word ' +
        "penstock alone: where it is typed after npx, alias penstock='npx penstock' makes one " +
        'word of it (in zsh with setopt complete_aliases).',
    )
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .action((shell: Shell) => {
      const ask = { commands: completed(program), directory: PIPELINES_DIRECTORY };
      printLines(io, renderCompletion[shell](ask));
    });
  withExample(
    command,
    "alias penstock='npx penstock'; source <(penstock completion bash)",
    'penstock completion fish | source',
  );
}

/** A command and all below it. */
function completed(command: Command, path: readonly string[] = []): readonly CompletedCommand[] {
  const help = command.createHelp();
  const takes = command.registeredArguments;
  const own: CompletedCommand = {
    path,
    summary: command.summary(),
    options: help.visibleOptions(command).map(({ long, short, description }) => ({
      flag: long ?? short ?? '',
      description,
    })),
    choices: takes.flatMap(({ argChoices = [] }) => argChoices),
    pipelines: takes.some((argument) => /^pipelines?$/.test(argument.name())),
  };
  return [own, ...command.commands.flatMap((below) => completed(below, [...path, below.name()]))];
}
