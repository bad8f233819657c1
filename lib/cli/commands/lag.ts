/** penstock lag: how far every consumer is behind the tip of every shard. */
import type { Command } from 'commander';
import type { Io } from '#cli/io';
import type { LagOptions } from '#cli/lag';
import { withCloud, withExample, withJson } from '#cli/options';

export function addLag(program: Command, io: Io, fail: (code?: number) => void): void {
  const command = program
    .command('lag')
    .summary('show how far consumers are behind')
    .description(
      'Show, for every consumer and shard, how old the oldest record is that is not done yet; with --for or --watch, whether it catches up, and how fast.',
    )
    .argument('[pipeline]', 'one pipeline only')
    .option('--consumer <name>', 'one consumer only')
    .option('-w, --watch', 'again each second, until Ctrl-C')
    .option('--for <span>', 'look twice, so far apart: rates and trends, as 5s')
    .option('--max-behind <span>', 'exit with 2 when a consumer is further behind, as 10m')
    .action(async (pipeline: string | undefined, options: LagOptions) => {
      const { lag } = await import('#cli/lag');
      await lag(pipeline, options, { io, fail });
    });
  withExample(
    withJson(withCloud(command)),
    'penstock lag orders --watch',
    'penstock lag orders --for 5s',
    'penstock lag --json --max-behind 10m',
  );
}
