/** penstock replay: give a consumer again what is in the stream. */
import type { Command } from 'commander';
import type { Io } from '#cli/io';
import { withCloud, withExample, withJson } from '#cli/options';
import type { ReplayOptions } from '#cli/replay';

export function addReplay(program: Command, io: Io, fail: (code?: number) => void): void {
  const command = program
    .command('replay')
    .summary('give a consumer again what is in the stream')
    .description(
      'Read a pipeline’s stream a second time, from a place to the tip or to another place, and give its records to one consumer. ' +
        'What the stream delivers in its turn goes on beside it. A replay that was ended goes on when the same command is given again.',
    )
    .argument('<pipeline>')
    .option('--consumer <name>', 'which consumer; needed where there are several')
    .requiredOption(
      '--from <place>',
      'oldest (TRIM_HORIZON), a span such as 3h, an ISO 8601 time, or a sequence number',
    )
    .option('--to <place>', 'a span, a time, or a sequence number; the tip unless given')
    .option('--shard <id>', 'only this shard: its id, or the number at the end of it')
    .option('--key <partition key>', 'only records of this partition key')
    .option('--rate <records>', 'records a second, at most, of all shards together', '500')
    .option('--dry-run', 'count what would be sent, by reading it, and send nothing')
    .option('--restart', 'begin anew, where one of this consumer is not over')
    .option('--yes', 'do not ask for the pipeline’s name')
    .action(async (pipeline: string, options: ReplayOptions) => {
      const { replayCommandLine } = await import('#cli/replay');
      await replayCommandLine(pipeline, options, { io, fail });
    });
  withExample(
    withJson(withCloud(command)),
    'penstock replay orders --from 3h --dry-run',
    'penstock replay orders --consumer orders --from 2031-04-16T09:00:00Z --rate 200',
  );
}
