/** penstock breaker: consumers that stand still because they refuse too much. */
import type { Command } from 'commander';
import type { BreakerOptions, CloseOptions } from '#cli/breaker';
import type { Io } from '#cli/io';
import { withCloud, withExample, withJson } from '#cli/options';

export function addBreaker(program: Command, io: Io): void {
  const command = program
    .command('breaker')
    .summary('show or close a breaker')
    .description(
      'A consumer that refuses a large share of its records for one reason sets no more of them ' +
        'aside: its shards stand still, and nothing is lost. A fixed deployment closes the breaker.',
    )
    .helpCommand(false);
  withExample(command, 'penstock breaker show orders');

  const shown = command
    .command('show')
    .description('Show which consumers of a pipeline stand still, since when, and why.')
    .argument('<pipeline>')
    .option('--consumer <name>', 'only this one')
    .action(async (pipeline: string, options: BreakerOptions) => {
      const { showBreakers } = await import('#cli/breaker');
      await showBreakers(pipeline, options, io);
    });
  withExample(withJson(withCloud(shown)), 'penstock breaker show orders --json');

  const close = command
    .command('close')
    .description(
      'Let a pipeline’s consumers go on. As large a share of refused records stops them again.',
    )
    .argument('<pipeline>')
    .option('--consumer <name>', 'only this one')
    .option('--let-pass <hours>', 'set aside whatever is refused, however much, for so long')
    .action(async (pipeline: string, options: CloseOptions) => {
      const { closeBreakers } = await import('#cli/breaker');
      await closeBreakers(pipeline, options, io);
    });
  withExample(withJson(withCloud(close)), 'penstock breaker close orders --let-pass 2');
}
