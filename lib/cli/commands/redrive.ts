/** penstock redrive: records of quarantine, sent again. */
import type { Command } from 'commander';
import type { Io } from '#cli/io';
import { withCloud, withExample, withJson } from '#cli/options';
import { withFilter } from '#cli/quarantine/filter-options';
import type { RedriveOptions } from '#cli/redrive/redrive';

export function addRedrive(program: Command, io: Io, fail: (code?: number) => void): void {
  const command = program
    .command('redrive')
    .summary('send what was set aside again')
    .description(
      'Send records of quarantine to the consumer that refused them, and to no other, in the order ' +
        'of the stream. What ends well leaves quarantine; what is refused again stays. Run again, it ' +
        'goes on. The exit code is 1 when anything stays.',
    )
    .argument('<pipeline>')
    .requiredOption('--consumer <name>', 'the consumer that refused them')
    .option('--id <ids...>', 'only these, as `quarantine list` shows them')
    .option('--all', 'everything that this consumer refused')
    .option('--dry-run', 'show what would be sent, in which order, and send nothing')
    .option('--edit', 'open the payloads in $EDITOR first, and send what was changed')
    .option('--rate <count>', 'records a second, at most', '200')
    .action(async (pipeline: string, options: RedriveOptions) => {
      const { redriveQuarantined } = await import('#cli/redrive/redrive');
      await redriveQuarantined(pipeline, options, { io, fail });
    });
  withExample(
    withJson(withCloud(withFilter(command))),
    'penstock redrive orders --consumer orders --reason item-too-large --dry-run',
    'penstock redrive orders --consumer orders --id 5f3a90c1d2 --edit',
    'penstock redrive orders --consumer orders --all',
  );
}
