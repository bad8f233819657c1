/** penstock reshard: another number of shards, while the stream is in use. */
import type { Command } from 'commander';
import type { Io } from '#cli/io';
import { withCloud, withExample, withJson } from '#cli/options';
import type { ReshardOptions } from '#cli/reshard';

export function addReshard(program: Command, io: Io, fail: (code?: number) => void): void {
  const command = program
    .command('reshard')
    .summary('change the number of a stream’s shards')
    .description(
      'Bring a stream to another number of shards while it is in use, in as many calls as that takes, and wait until consumers have drained what was closed. ' +
        'Ended early, the same command goes on from where the stream is.',
    )
    .argument('<pipeline>')
    .requiredOption('--to <shards>', 'how many shards it is to have')
    .option('--dry-run', 'show the calls, and change nothing')
    .option('--yes', 'do not ask for the pipeline’s name')
    .action(async (pipeline: string, options: ReshardOptions) => {
      const { reshardCommandLine } = await import('#cli/reshard');
      await reshardCommandLine(pipeline, options, { io, fail });
    });
  withExample(
    withJson(withCloud(command)),
    'penstock reshard orders --to 5 --dry-run',
    'penstock reshard orders --to 5',
  );
}
