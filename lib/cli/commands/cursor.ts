/** penstock cursor: a pipeline's place in its source, shown and moved. */
import type { Command } from 'commander';
import type { MoveOptions, SetOptions, ShowOptions } from '#cli/cursor';
import type { Io } from '#cli/io';
import { withCloud, withExample, withJson } from '#cli/options';

export function addCursor(program: Command, io: Io): void {
  const command = program
    .command('cursor')
    .summary('show or move a place in a source')
    .description('A pipeline’s place in its source: show it, or poll again from another.')
    .helpCommand(false);
  withExample(command, 'penstock cursor show orders');

  const shown = command
    .command('show')
    .description('Show how far a source was read, who reads it now, and whether it is paused.')
    .argument('<pipeline>')
    .action(async (pipeline: string, options: ShowOptions) => {
      const { showCursor } = await import('#cli/cursor');
      await showCursor(pipeline, options, io);
    });
  withExample(withJson(withCloud(shown)), 'penstock cursor show orders --json');

  const set = command
    .command('set')
    .description(
      'Poll again everything that changed at the source since a time. Nothing is doubled in the table.',
    )
    .argument('<pipeline>')
    .requiredOption('--at <time>', 'ISO 8601 with an offset: 2031-04-16T09:00:00Z')
    .option('--allow-skip', 'let what lies between here and a later time never be polled')
    .action(async (pipeline: string, options: SetOptions) => {
      const { setCursor } = await import('#cli/cursor');
      await setCursor(pipeline, options, io);
    });
  withExample(
    withConsent(withJson(withCloud(set))),
    'penstock cursor set orders --at 2031-04-16T09:00:00Z --dry-run',
  );

  const reset = command
    .command('reset')
    .description('Poll the source again from its beginning. Nothing is doubled in the table.')
    .argument('<pipeline>')
    .action(async (pipeline: string, options: MoveOptions) => {
      const { resetCursor } = await import('#cli/cursor');
      await resetCursor(pipeline, options, io);
    });
  withExample(withConsent(withJson(withCloud(reset))), 'penstock cursor reset orders --dry-run');
}

function withConsent(command: Command): Command {
  return command
    .option('--dry-run', 'show what would change, and change nothing')
    .option('--yes', 'do not ask for the pipeline’s name');
}
