/** penstock quarantine: what was set aside, and why. */
import type { Command } from 'commander';
import type { Io } from '#cli/io';
import { withCloud, withExample, withJson } from '#cli/options';
import { withFilter } from '#cli/quarantine/filter-options';
import type { ExportOptions, ListOptions, ShowOptions } from '#cli/quarantine/quarantine';

const BY = 'only what this consumer refused, or `poll` before it was published';

export function addQuarantine(program: Command, io: Io): void {
  const command = program
    .command('quarantine')
    .summary('show what was set aside')
    .description(
      'Records that can never be stored as they are, each with its payload and the reason, and ' +
        'batches that were given up. `penstock redrive` sends records again.',
    )
    .helpCommand(false);
  withExample(command, 'penstock quarantine list orders');

  const list = command
    .command('list')
    .description('Count what is in quarantine by reason, and list the newest of it.')
    .argument('<pipeline>')
    .option('--consumer <name>', BY)
    .option('-n, --number <count>', 'list so many of the newest', '50')
    .option('--redriven', 'what was sent again and is done, in its place')
    .action(async (pipeline: string, options: ListOptions) => {
      const { listQuarantined } = await import('#cli/quarantine/quarantine');
      await listQuarantined(pipeline, options, io);
    });
  withExample(
    withJson(withCloud(withFilter(list))),
    'penstock quarantine list orders',
    'penstock quarantine list orders --consumer orders --reason item-too-large --since 2d --json',
  );

  const show = command
    .command('show')
    .description('Print everything about one object, with its payload.')
    .argument('<pipeline>')
    .argument('<id>', 'as `list` shows it, or the beginning of it')
    .action(async (pipeline: string, id: string, options: ShowOptions) => {
      const { showQuarantined } = await import('#cli/quarantine/quarantine');
      await showQuarantined({ pipeline, id }, options, io);
    });
  withExample(withJson(withCloud(show)), 'penstock quarantine show orders 5f3a90c1d2');

  const exported = command
    .command('export')
    .description(
      'Write every object with its payload as JSON Lines, the oldest day first of each reason.',
    )
    .argument('<pipeline>')
    .option('--consumer <name>', BY)
    .option('--redriven', 'what was sent again and is done, in its place')
    .option('--to <file>', 'into a file, which is whole or not there (default: standard output)')
    .action(async (pipeline: string, options: ExportOptions) => {
      const { exportQuarantined } = await import('#cli/quarantine/quarantine');
      await exportQuarantined(pipeline, options, io);
    });
  withExample(
    withCloud(withFilter(exported)),
    'penstock quarantine export orders --to orders-refused.jsonl',
  );
}
